// A logo, as far as it is believed: a PNG or JPEG by its first bytes, small in bytes and in pixels. SVG is
// none: it is a document that can hold script. It is kept and shown by us, and not by address: a page that
// loads a picture from a merchant's host would tell that host who looks at it, and its policy would have to
// name hosts that merchants choose.
import { createHash } from 'node:crypto'
import { LOGO_BYTES_MAX, LOGO_PIXELS_MAX } from '@cowrie/contract/access/branding'
import { fail } from '#kit/fail.ts'

export type LogoFile = { readonly bytes: Buffer; readonly type: 'png' | 'jpeg'; readonly digest: string }
type Size = { readonly width: number; readonly height: number }

const PNG_HEAD = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

function pngSize(bytes: Buffer): Size | null {
  if (bytes.length < 33 || !bytes.subarray(0, 16).equals(PNG_HEAD)) return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Walks from segment to segment, to the frame that says the size. */
function jpegSize(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes.readUInt16BE(at)
    if (marker < 0xffc0 || marker === 0xffff) return null
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return null
}

/** Reads `data:image/png;base64,…`, or refuses it. */
export function readLogo(text: string): LogoFile {
  const refuse = (why: string): never => fail('FIELD_INVALID', { field: 'logo', why })
  const [, type, base64] = /^data:image\/(png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  if ((type !== 'png' && type !== 'jpeg') || base64 === undefined)
    return refuse('must be a PNG or JPEG as a data address')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > LOGO_BYTES_MAX) return refuse(`must have at most ${LOGO_BYTES_MAX} bytes`)
  const size = type === 'png' ? pngSize(bytes) : jpegSize(bytes)
  if (!size) return refuse(`must be a ${type === 'png' ? 'PNG' : 'JPEG'}`)
  const fits = (pixels: number): boolean => pixels >= 1 && pixels <= LOGO_PIXELS_MAX
  if (!fits(size.width) || !fits(size.height)) return refuse(`must have at most ${LOGO_PIXELS_MAX} pixels each way`)
  return { bytes, type, digest: createHash('sha256').update(bytes).digest('hex').slice(0, 40) }
}
