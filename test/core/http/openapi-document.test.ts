import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineEntity, defineOperation, definePlugin } from 'renown'
import * as v from 'valibot'
import { openapiOf } from '../../../core/http/openapi'
import { version } from '../../../core/process/version'
import { createRegistry } from '../../../core/registry/registry'
import { countNotes, Note, notes } from '../../support/notes-plugin'

const old = { since: '2026-01-01', sunset: '2027-03-01', use: 'Note' }
/** No example of it can be made. */
const impossible = v.pipe(v.string(), v.regex(/^[^\s\S]$/), v.description('Odd'))

/**
 * The whole document of two small plugins. Clients are generated from it, so every type, bound, example and name
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

/** Declared in another order than that of their names, beside a record type that nobody reads. */
const albums = definePlugin({
  name: 'albums',
  renown: '^1.0.0',
  notYet: 'Albums are not filled yet.',
  entities: [
    defineEntity({ ...Note, name: 'Zine', idPrefix: 'zin', deprecated: old, reads: ['get'] }),
    defineEntity({ ...Note, name: 'Album', idPrefix: 'alb', reads: ['list', 'get'] }),
    defineEntity({ ...Note, name: 'Internal', idPrefix: 'int', reads: [] }),
  ],
  operations: [
    defineOperation({ ...countNotes, name: 'viewAlbums', deprecated: old, crossAgency: 'own' }),
    defineOperation({
      name: 'countAlbums',
      summary: countNotes.summary,
      class: countNotes.class,
      crossAgency: countNotes.crossAgency,
      input: countNotes.input,
      output: v.object({ odd: impossible }),
      run: async () => ({ odd: '' }),
    }),
  ],
})

test('the OpenAPI document of two plugins is what it was, apart from its texts', () => {
  const document = openapiOf(createRegistry([notes, albums]), 'https://api.example') as { info: object }
  expect(document.info).toMatchObject({ version })
  Object.assign(document.info, { version: '' })
  const lines = [...linesOf(document, '')].map(([at, value]) => `${at}: ${JSON.stringify(value)}`)
  if (process.env.RENOWN_GOLDEN === 'write') writeFileSync(path, `${JSON.stringify(lines, null, 2)}\n`)
  expect(lines).toEqual(JSON.parse(readFileSync(path, 'utf8')))
  expect(JSON.stringify(document).match(/Albums are not filled yet\./g)).toHaveLength(5)
})
