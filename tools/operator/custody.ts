// Keys that lie wrapped, for whoever makes or hands them on (docs/operate/custodians.md).
//   cowrie run keys new [--for amina,bola]…    makes a key and prints it wrapped: nobody sees it
//   cowrie run keys wrap [--for amina,bola]…   wraps the key on standard input, which may be wrapped already
//   cowrie run keys custodians                 asks each to wrap a share and to open it again
//   cowrie run keys heads-key                  prints the public key of what signs the audit trail's heads
// Reads CUSTODIANS and HEADS_KEY like the gateway, and no database.
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { readCustodians, readHeadsKey, withoutSecrets } from '../../apps/gateway/src/core/keys/places.ts'
import { type Custodian, isWrapped, unwrapKey, wrapKey } from '../../apps/gateway/src/kit/custody.ts'
import { createCustodian, createDocumentSigner } from '../../apps/gateway/src/outside/custody.ts'
import { type Env, NotDone, type Print, WrongUse } from './operator.ts'

export const CUSTODY_USAGE = `new               makes a key and prints it wrapped by all of CUSTODIANS; --for amina,bola: by these; may be repeated
wrap              does the same with the key on standard input, wrapped or not
custodians        asks each custodian whether what it wraps opens again
heads-key         prints the public key of HEADS_KEY`

const KEY_BYTES = 32

async function makeSure(custodians: readonly Custodian[], print: Print): Promise<0 | 1> {
  let silent = 0
  for (const custodian of custodians) {
    const share = randomBytes(KEY_BYTES)
    const fault = await custodian
      .wrap(share)
      .then((wrapped) => custodian.unwrap(wrapped))
      .then((back) => (share.equals(back) ? null : 'it opens to something else'))
      .catch((error: Error) => error.message)
    if (fault !== null) silent += 1
    print(`${custodian.name}: ${fault ?? 'opens what it wrapped'}`)
  }
  if (custodians.length === 0) throw new WrongUse('CUSTODIANS names nobody.')
  return silent === 0 ? 0 : 1
}

/** The custodians of each copy. */
function groupsOf(all: readonly Custodian[], asked: readonly string[]): Custodian[][] {
  if (asked.length === 0) return [[...all]]
  return asked.map((names) =>
    names.split(',').map((name) => {
      const custodian = all.find((one) => one.name === name)
      if (!custodian) throw new WrongUse(`CUSTODIANS does not name ${name}.`)
      return custodian
    }),
  )
}

export async function custody(words: readonly string[], env: Env, print: Print, input: () => string): Promise<0 | 1> {
  const options = { for: { type: 'string', multiple: true } } as const
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true })
  const [command] = positionals
  const wrong: string[] = []
  const programs = withoutSecrets(env)
  const custodians = readCustodians(env, wrong).map((one) => createCustodian(one, programs))
  const headsKey = readHeadsKey(env, wrong)
  if (wrong.length > 0 || positionals.length > 1) throw new WrongUse(wrong.join('\n') || 'There is a word too many.')
  if (command === 'custodians') return makeSure(custodians, print)
  try {
    if (command === 'heads-key') {
      if (headsKey === null) throw new WrongUse('HEADS_KEY is not set: the master key signs the heads.')
      print((await createDocumentSigner(headsKey, programs).publicKey()).trim())
      return 0
    }
    const groups = groupsOf(custodians, values.for ?? [])
    const given = command === 'new' ? randomBytes(KEY_BYTES).toString('base64') : input().trim()
    if (given === '' || /[\s,]/.test(given)) throw new WrongUse('One key is wanted, without its version.')
    const text = isWrapped(given) ? await unwrapKey(custodians, given) : given
    for (const group of groups) print(await wrapKey(group, text))
    return 0
  } catch (error) {
    if (error instanceof WrongUse) throw error
    throw new NotDone((error as Error).message)
  }
}

/** The words that are answered here. */
export const CUSTODY: ReadonlySet<string> = new Set(['new', 'wrap', 'custodians', 'heads-key'])
