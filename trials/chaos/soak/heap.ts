// Loaded into a process before its own program (`--import`): every five seconds it collects what is garbage
// and writes down what is left. What is left is what the program holds on to; the memory of a process says
// less, because nothing makes it return what it once took. With SOAK_LEAK it holds on to half a megabyte a
// second: the control of the rule that memory is flat.
import { appendFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const EVERY_MS = 5_000
const LEAK_MS = 1_000
const LEAK_NUMBERS = 65_536 // of eight bytes

const file = process.env['SOAK_HEAP']
if (file !== undefined) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const look = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    appendFileSync(file, `${Date.now()} ${((heapUsed + external) / 2 ** 20).toFixed(2)}\n`)
  }
  setInterval(look, EVERY_MS).unref()
}
if (process.env['SOAK_LEAK'] !== undefined) {
  const kept: number[][] = []
  setInterval(() => kept.push(Array.from({ length: LEAK_NUMBERS }, Math.random)), LEAK_MS).unref()
}
