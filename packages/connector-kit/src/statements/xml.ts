// As much of XML as a bank's file needs: elements, attributes, text, CDATA and the five entities. A document
// type is refused: it is how a file makes its reader fetch or repeat things.
import { Unreadable } from './amounts.ts'

export type Element = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decode = (text: string): string =>
  text.replace(/&(#x?[\da-fA-F]+|\w+);/g, (_hit, name: string) => {
    const point = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    const sign = name.startsWith('#') ? (point <= 0x10ffff ? String.fromCodePoint(point) : undefined) : ENTITIES[name]
    if (sign === undefined) throw new Unreadable('An XML file has an entity that is not one of the five')
    return sign
  })

const TOKEN =
  /<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/y
const ATTRIBUTE = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const local = (name: string): string => name.slice(name.indexOf(':') + 1)
const DEPTH_MAX = 40

export function readXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  let at = 0
  while (at < text.length) {
    TOKEN.lastIndex = at
    const hit = TOKEN.exec(text)
    if (hit === null) throw new Unreadable('An XML file is not well-formed, or has a document type')
    at = TOKEN.lastIndex
    const [, data, closing, name, attributes = '', empty, plain] = hit
    const inside = open.at(-1) ?? root
    if (data !== undefined) inside.text += data
    if (plain !== undefined) inside.text += decode(plain)
    if (name === undefined) continue
    if (closing) {
      if (open.length === 1 || open.pop()?.name !== local(name))
        throw new Unreadable('An XML file closes what is not open')
      continue
    }
    const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', one, two]) => [key, decode(one ?? two ?? '')])
    const element: Element = { name: local(name), attributes: Object.fromEntries(pairs), children: [], text: '' }
    inside.children.push(element)
    if (!empty) open.push(element)
    if (open.length > DEPTH_MAX) throw new Unreadable('An XML file is nested too deeply')
  }
  const [only, more] = root.children
  if (open.length !== 1 || only === undefined || more !== undefined) throw new Unreadable('An XML file is not whole')
  return only
}

/** All that a path leads to, from an element down. */
export const all = (from: Element, ...path: readonly string[]): Element[] =>
  path.reduce<Element[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((one) => one.name === name)),
    [from],
  )

/** The text of the first that one of the paths leads to; empty where none does. */
export const textAt = (from: Element, ...path: readonly string[]): string => all(from, ...path)[0]?.text.trim() ?? ''
