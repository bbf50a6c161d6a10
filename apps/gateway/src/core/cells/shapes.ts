// Shapes of events (kit/shape.ts) are rows of the cell, few and for ever; every process knows those it has
// met. A body of a shape that is not known yet is stored whole, and the shape is added beside it, so nobody
// waits.
import type { Rows } from '#core/rows.ts'
import type { Shapes, Statement } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { join, split } from '#kit/shape.ts'

/** Beyond so many, bodies are stored whole: somebody has found a way to make shapes. */
const SHAPES_MAX = 4_000

const ADD: Statement = {
  name: 'shapes_add',
  text: `
with made as (insert into event_shapes (shape) values ($1) on conflict do nothing returning id)
select id from made union all select id from event_shapes where md5(shape) = md5($1) and shape = $1 limit 1`,
}
const FIND: Statement = { name: 'shapes_find', text: 'select shape from event_shapes where id = $1' }

type Query = <Row>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>

/** The id of a shape, which is added where it is new. */
export async function addShape(read: { query: Query }, shape: string): Promise<number> {
  // Added by another process at this moment, it is found by neither half of the statement; the next one finds
  // it.
  const [row = (await read.query<{ id: number }>(ADD, [shape]))[0]] = await read.query<{ id: number }>(ADD, [shape])
  return row?.id ?? fail('INTERNAL', {}, `event shape ${shape.slice(0, 80)} could not be added`)
}

export function createShapes(query: Query): Shapes {
  const ids = new Map<string, number>()
  const shapes = new Map<number, string>()
  const adding = new Set<string>()
  const keep = (id: number, shape: string): void => {
    ids.set(shape, id)
    shapes.set(id, shape)
  }
  const add = async (shape: string): Promise<void> => {
    adding.add(shape)
    try {
      keep(await addShape({ query }, shape), shape)
    } catch {
      // The database is away or closing; the next event of this shape asks again.
    } finally {
      adding.delete(shape)
    }
  }
  const find = async (id: number): Promise<string> => {
    const [row] = await query<Pick<Rows['event_shapes'], 'shape'>>(FIND, [id])
    if (!row) return fail('INTERNAL', {}, `event shape ${id} is not there`)
    keep(id, row.shape)
    return row.shape
  }
  return {
    pack: (body) => {
      const { shape, values } = split(body)
      const id = ids.get(shape)
      if (id !== undefined && values !== '') return { shape: id, body: values }
      if (values !== '' && !adding.has(shape) && ids.size < SHAPES_MAX) void add(shape)
      return { shape: null, body }
    },
    unpack: async (shape, stored) => (shape === null ? stored : join(shapes.get(shape) ?? (await find(shape)), stored)),
  }
}
