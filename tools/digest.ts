// A digest of sources, for builds that are repeated only when something changed.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export async function filesOf(path: string): Promise<string[]> {
  const found = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null)
  if (found === null) return [path]
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Of names and contents of files, and of folders with everything in them. */
export async function digestOfSources(
  root: string,
  paths: readonly string[],
  counts: (file: string) => boolean = () => true,
): Promise<string> {
  const files = (await Promise.all(paths.map((path) => filesOf(join(root, path))))).flat().filter(counts).toSorted()
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(file.slice(root.length))
      .update('\0')
      .update(await readFile(file))
  return hash.digest('base64url')
}
