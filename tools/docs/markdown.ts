// Markdown for the generated pages: tables, code, and the fields of a schema.
import { type Explained, listFields } from '@cowrie/contract/kit/fields'

const GENERATED = '<!-- Generated from packages/contract by `npm run generate`; do not edit. -->'

type Schema = Parameters<typeof listFields>[0]

export const page = (...parts: readonly string[]): string => `${[GENERATED, ...parts].join('\n\n')}\n`
const cell = (text: string): string => text.replaceAll('|', '\\|')
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(row)].join('\n')
export const code = (text: string): string => `\`${text}\``
export const fence = (language: string, text: string): string => [`\`\`\`${language}`, text, '```'].join('\n')

export const requestTable = (schema: Schema, explained?: Explained): string =>
  table(
    ['Field', 'Type', 'Required', 'Notes'],
    listFields(schema, explained).map((field) => [
      code(field.path),
      field.type,
      field.required ? 'required' : 'optional',
      field.notes,
    ]),
  )
export const replyTable = (schema: Schema, explained?: Explained): string =>
  table(
    ['Field', 'Type', 'Present', 'Notes'],
    listFields(schema, explained).map((field) => [
      code(field.path),
      field.type,
      field.required ? 'always' : 'sometimes',
      field.notes,
    ]),
  )

export const codeTable = (codes: Readonly<Record<string, string>>): string =>
  table(
    ['Code', 'Message'],
    Object.entries(codes)
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, says]) => [code(name), says]),
  )
