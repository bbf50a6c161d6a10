// Certificates for the servers of a run, made when it starts. The worker trusts the authority of the run, so
// that a wrong name and a past date are refused for what they are and not because the signer is unknown.
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type Pair = { readonly key: string; readonly cert: string }
export type Certificates = {
  /** The file of the authority that the worker is to trust. */
  readonly authority: string
  readonly trusted: Pair
  readonly wrongName: Pair
  readonly expired: Pair
  readonly selfSigned: Pair
}

const HERE = 'subjectAltName=IP:127.0.0.1\n'
const ELSEWHERE = 'subjectAltName=DNS:elsewhere.example\n'
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** null where there is no openssl. */
export async function makeCertificates(dir: string): Promise<Certificates | null> {
  await mkdir(dir, { recursive: true })
  const file = (name: string) => join(dir, name)
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args)
  const signItself = (name: string, more: readonly string[]) =>
    openssl(
      ...['req', '-x509', ...NEW_KEY, '-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)],
      ...['-subj', `/CN=${name}`, '-days', '2', ...more],
    )
  const read = async (name: string): Promise<Pair> => ({
    key: await readFile(file(`${name}.key`), 'utf8'),
    cert: await readFile(file(`${name}.pem`), 'utf8'),
  })
  const signed = async (name: string, extensions: string, days: number): Promise<Pair> => {
    await writeFile(file(`${name}.ext`), extensions)
    await openssl(
      'req',
      ...NEW_KEY,
      ...['-keyout', file(`${name}.key`), '-out', file(`${name}.csr`), '-subj', `/CN=${name}`],
    )
    await openssl(
      ...['x509', '-req', '-in', file(`${name}.csr`), '-CA', file('authority.pem'), '-CAkey', file('authority.key')],
      ...['-CAcreateserial', '-days', String(days), '-extfile', file(`${name}.ext`), '-out', file(`${name}.pem`)],
    )
    return read(name)
  }
  try {
    await openssl('version')
  } catch {
    return null
  }
  await signItself('authority', [])
  await signItself('itself', ['-addext', HERE.trim()])
  return {
    authority: file('authority.pem'),
    trusted: await signed('trusted', HERE, 2),
    wrongName: await signed('wrong-name', ELSEWHERE, 2),
    expired: await signed('expired', HERE, -1),
    selfSigned: await read('itself'),
  }
}
