// Takes a file whole, as a browser on a fast line would, in a process of its own: what counts its rows must not hold up those who pay.
//   node take.ts <address> <headers as JSON>   prints { rows, bytes, last }
const [, , url = '', headers = '{}'] = process.argv
const answer = await fetch(url, { headers: JSON.parse(headers) as Record<string, string> })
if (answer.status !== 200) throw new Error(`the export: ${answer.status} ${await answer.text()}`)
let [bytes, rows, tail] = [0, 0, '']
for await (const piece of answer.body ?? []) {
  const part = Buffer.from(piece)
  bytes += part.length
  for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) rows += 1
  tail = (tail + part.subarray(-200).toString('utf8')).slice(-200)
}
console.log(JSON.stringify({ rows: rows - 2, bytes, last: tail.trimEnd().split('\r\n').at(-1) ?? '' }))
