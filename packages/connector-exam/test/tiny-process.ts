// The tiny adapter as a process of its own, so that it can be killed. What it is to do comes as JSON in its
// first argument.
import { openTinyAdapter, type TinyConfig } from './tiny-adapter.ts'

if (process.channel) process.on('disconnect', () => process.exit(0))
const url = await openTinyAdapter(JSON.parse(process.argv[2] ?? '') as TinyConfig)
process.send?.({ url })
