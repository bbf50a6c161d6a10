// Certificates for tests, made with the openssl command: for a name, by an authority of their own or by
// nobody.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type CertificateSpec = {
  readonly name: string
  readonly signed?: boolean
  readonly from?: string
  readonly until?: string
}
export type Certificate = { readonly cert: string; readonly key: string; readonly authority: string }

const AUTHORITY = `[ca]
default_ca=own
[own]
database=database
new_certs_dir=.
serial=serial
default_md=sha256
policy=policy
[policy]
commonName=supplied
`

export function makeCertificate({ name, signed = true, from, until }: CertificateSpec): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-certificate-'))
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  const newKey = (file: string) => ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file]
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  try {
    const files = { 'ca.conf': AUTHORITY, database: '', serial: '01', extensions: `subjectAltName=DNS:${name}\n` }
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
    openssl('req', '-x509', ...newKey('ca.key'), '-out', 'ca.pem', '-subj', '/CN=Test authority', '-days', '2')
    openssl('req', ...newKey('own.key'), '-out', 'own.csr', '-subj', `/CN=${name}`)
    const dates = from && until ? ['-startdate', from, '-enddate', until] : ['-days', '2']
    const by = signed ? ['-cert', 'ca.pem', '-keyfile', 'ca.key'] : ['-selfsign', '-keyfile', 'own.key']
    const paths = ['-in', 'own.csr', '-out', 'own.pem', '-extfile', 'extensions']
    openssl('ca', '-batch', '-notext', '-config', 'ca.conf', ...paths, ...dates, ...by)
    return { cert: read('own.pem'), key: read('own.key'), authority: read('ca.pem') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
