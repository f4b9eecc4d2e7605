import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openapiOf } from '../../../core/http/openapi'
import { version } from '../../../core/process/version'
import { createRegistry } from '../../../core/registry/registry'
import { notes } from '../../support/notes-plugin'

/**
 * The whole document of one small plugin. Clients are generated from it, so every type, bound, example and name
 * counts. Texts count only as present, so that they can be reworded. `RENOWN_GOLDEN=write` writes the file again
 * after a deliberate change: read what changes in it.
 */
const path = join(import.meta.dir, 'openapi-document.json')
const texts = new Set(['description', 'summary', 'title', 'detail'])

/** The document as one line for each value, so that a change of it reads well in a diff. */
function* linesOf(node: unknown, at: string): Generator<readonly [string, unknown]> {
  if (typeof node !== 'object' || node === null) return yield [at, node]
  const entries = Object.entries(node)
  if (entries.length === 0) yield [at, Array.isArray(node) ? [] : {}]
  for (const [name, value] of entries) {
    const isText = texts.has(name) && typeof value === 'string' && value.trim() !== ''
    yield* linesOf(isText ? '…' : value, `${at}/${name}`)
  }
}

test('the OpenAPI document of a plugin is what it was, apart from its texts', () => {
  const document = openapiOf(createRegistry([notes]), 'https://api.example') as { info: object }
  expect(document.info).toMatchObject({ version })
  Object.assign(document.info, { version: '' })
  const lines = Object.fromEntries(linesOf(document, ''))
  if (process.env.RENOWN_GOLDEN === 'write') writeFileSync(path, `${JSON.stringify(lines, null, 2)}\n`)
  expect(lines).toEqual(JSON.parse(readFileSync(path, 'utf8')))
})
