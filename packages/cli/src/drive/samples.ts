// `cowrie samples [name]`: copies a sample into this folder, to be read, run and changed.
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InvalidArgumentError } from 'commander'
import { Failure } from '../failure.ts'
import { nearest } from '../keys/spelling.ts'
import { printLine } from '../words.ts'

const FOLDER = new URL('../../../../samples/handlers', import.meta.url)

const SAMPLES = {
  handler: ['right.mjs', 'handler.mjs', 'a webhook handler that passes the exam; Node, without dependencies'],
  careless: [
    'careless.mjs',
    'careless.mjs',
    'wrong on purpose: no signature, slow, refuses new events; cowrie exam finds it',
  ],
  trusting: [
    'trusting.mjs',
    'trusting.mjs',
    'wrong on purpose: hashes JSON written anew, adds up duplicates; cowrie exam finds it',
  ],
} as const
export type Sample = keyof typeof SAMPLES
const NAMES = Object.keys(SAMPLES) as readonly Sample[]

const sampleLines = (): string[] => {
  const width = Math.max(...NAMES.map((name) => name.length))
  return NAMES.map((name) => `  ${name.padEnd(width)}  ${SAMPLES[name][2]}`)
}

export function readSample(text: string): Sample {
  const name = NAMES.find((one) => one === text)
  if (name) return name
  const near = nearest(text, NAMES)
  const hint = near ? ` Did you mean ${near}?` : ''
  throw new InvalidArgumentError(`No sample is called ${text}.${hint} There are:\n${sampleLines().join('\n')}`)
}

export function listSamples(json: boolean): void {
  const lines = ['Samples; copy one into this folder with cowrie samples <name>:', ...sampleLines()]
  const records = NAMES.map((name) => ({ name, says: SAMPLES[name][2] }))
  printLine(json ? JSON.stringify(records) : lines.join('\n'))
}

/** Nothing is overwritten: what lies there may have been changed. */
export function copySample(name: Sample, folder: string, json: boolean): void {
  const [from, to] = SAMPLES[name]
  const file = join(folder, to)
  if (existsSync(file)) throw new Failure(`${to} is already in this folder. Move it away first; nothing was changed.`)
  const source = join(fileURLToPath(FOLDER), from)
  if (!existsSync(source)) throw new Failure('This command was installed without the samples.')
  try {
    copyFileSync(source, file)
  } catch (error) {
    throw new Failure(`${to} could not be written here: ${(error as Error).message}`)
  }
  const lines = [
    `${to} is in this folder. Start it with the secret key of the sandbox, then let events come to it:`,
    `  COWRIE_SECRET_KEY=$(node -p "require('./.cowrie/handle.json').merchants.main.secretKey") node ${to} 3000`,
    '  cowrie listen 3000 --path /hook',
    'Then, in a third terminal: cowrie pay 5000',
  ]
  printLine(json ? JSON.stringify({ name, file }) : lines.join('\n'))
}
