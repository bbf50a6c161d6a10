// Proof of work: a number is looked for that makes the SHA-256 of puzzle and number begin with so many zero
// bits. The gateway checks it by one hash. Here the hash is our own, because the browser's is answered later,
// a hundred thousand times. Inlined before puzzle.js, and built into the script of the in-page checkout.
// oxlint-disable no-unused-vars
// biome-ignore lint/correctness/noUnusedVariables: whatever it is inlined before uses it
const solvePuzzle = (() => {
  const part = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0
  const starts = []
  const rounds = []
  for (let n = 2; rounds.length < 64; n += 1) {
    let least = 2
    while (n % least) least += 1
    if (least < n) continue
    if (starts.length < 8) starts.push(part(Math.sqrt(n)))
    rounds.push(part(Math.cbrt(n)))
  }
  const turn = (word, by) => (word >>> by) | (word << (32 - by))
  const words = new Int32Array(64)
  const block = (state, text, from, length) => {
    for (let i = 0; i < 16; i += 1) {
      words[i] = 0
      for (let at = from + i * 4; at < from + i * 4 + 4; at += 1) {
        const byte = at < length ? text.charCodeAt(at) : at === length ? 128 : 0
        words[i] = (words[i] << 8) | byte
      }
    }
    if (from + 56 > length) words[15] = length * 8
    for (let i = 16; i < 64; i += 1) {
      const a = words[i - 15]
      const b = words[i - 2]
      const low = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)
      words[i] = words[i - 16] + low + words[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))
    }
    let [a, b, c, d, e, f, g, h] = state
    for (let i = 0; i < 64; i += 1) {
      const high = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + rounds[i] + words[i]
      const low = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
      h = g
      g = f
      f = e
      e = (d + high) | 0
      d = c
      c = b
      b = a
      a = (high + low) | 0
    }
    return [a, b, c, d, e, f, g, h].map((word, at) => (state[at] + word) | 0)
  }
  const firstWord = (text) => {
    let state = starts
    for (let from = 0; from < text.length + 9; from += 64) state = block(state, text, from, text.length)
    return state[0] >>> 0
  }

  // In slices: the page goes on to take what is typed. The bits are the second part of the puzzle.
  return (puzzle, found) => {
    const bits = Number(puzzle.split('-')[1])
    const look = (from) => {
      for (let n = from; n < from + 2000; n += 1)
        if (firstWord(`${puzzle}.${n}`) >>> (32 - bits) === 0) {
          found(n)
          return
        }
      setTimeout(look, 0, from + 2000)
    }
    look(0)
  }
})()
