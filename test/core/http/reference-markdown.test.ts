import { expect, test } from 'bun:test'
import { referenceMarkdown } from '../../../core/http/reference-markdown'
import { part } from '../../support/part'

type Input = Parameters<typeof referenceMarkdown>[0]
type Entity = Input['surface']['entities'][number]

/** The lines of the fields of one record type. */
function linesOf(...fields: Entity['fields'][number][]): string[] {
  const entity = part<Entity>({
    name: 'Note',
    summary: 'A note',
    default_sort: '-id',
    reads: ['list'],
    fields,
  })
  const surface = part<Input['surface']>({ entities: [entity], operations: [] })
  const text = referenceMarkdown(part<Input>({ surface, policies: part({}), apiUrl: 'https://a.example' }))
  const from = text.indexOf('### Note')
  return text
    .slice(from)
    .split('\n')
    .filter((line) => /^ *- `/.test(line))
}

test('a field of a record is named with all that can be done with it, and so are the fields inside', () => {
  expect(
    linesOf(
      { name: 'title', type: 'string', description: 'The title', sortable: true, filter: 'search' },
      {
        name: 'state',
        type: 'string',
        description: 'How far',
        values: ['new', 'done'],
        nullable: true,
        optional: true,
      },
      {
        name: 'parts',
        type: 'array',
        element: 'object',
        filter: 'none',
        fields: [
          {
            name: 'of',
            type: 'object',
            fields: [{ name: 'deep', type: 'integer', description: 'How deep' }],
          },
          { name: 'more', type: 'boolean' },
        ],
      },
    ).slice(0, 6),
  ).toEqual([
    '- `title` (string, sort, search): The title',
    '- `state` (string or null, optional): How far Values: `new` `done`',
    '- `parts` (array of object, no filter):',
    '  - `of` (object):',
    '    - `deep` (integer): How deep',
    '  - `more` (boolean):',
  ])
})
