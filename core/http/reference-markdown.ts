import { examinedMax } from '../contexts/breadth'
import { errorTable } from '../contracts/errors'
import { filterBounds, filterOperators } from '../query/filter'
import { listBounds } from '../query/parse'
import {
  type Surface,
  type SurfaceEntity,
  type SurfaceField,
  type SurfaceOperation,
  writesOf,
} from '../registry/surface'
import type { Policy } from '../requests/limit-table'

interface ReferenceInput {
  readonly surface: Surface
  readonly policies: Readonly<Record<string, Policy>>
  readonly apiUrl: string
}

/** Returns the reference of this installation as Markdown. It says what the page says. */
export const referenceMarkdown = ({ surface, policies, apiUrl }: ReferenceInput): string =>
  [
    '# Renown API',
    `Read reputation data, and make the few writes that are safe: ${writesOf(surface.operations)}.`,
    `Version ${surface.version} · \`${apiUrl}\` · [openapi.json](${apiUrl}/openapi.json) · [guides](${apiUrl}/docs/guides.md)`,
    '## Start',
    'Every request under `/api` carries a bearer token. Cookies are never read.',
    `\`\`\`sh\ncurl ${apiUrl}/api/entities/Workspace -H "Authorization: Bearer $RENOWN_KEY"\n\`\`\``,
    '`X-Workspace-Id` selects the workspace; without it the home workspace is read. A workspace that the credential cannot read is refused with 403.',
    ...reading,
    '## Records',
    ...surface.entities.map(recordText),
    '## Operations',
    'Called by `POST /api/functions/<name>` with a JSON object. A field that is not listed is refused. Operations that write take an `Idempotency-Key` header (24 hours) and `dry_run: true`.',
    ...surface.operations.map(operationText),
    '## Limits',
    'Over a limit: 429 with `Retry-After`.',
    list(Object.values(policies).map(policyLine)),
    '## Errors',
    'Errors are `application/problem+json` (RFC 9457). The codes are a closed list.',
    list(
      Object.entries(errorTable).map(
        ([code, { status, meaning }]) => `- \`${code}\` (${status}): ${meaning}`,
      ),
    ),
    '',
  ].join('\n\n')

const list = (lines: readonly string[]) => lines.join('\n')

const policyLine = ({ name, quota, windowSeconds }: Policy) =>
  `- \`${name}\`: ${quota.toLocaleString('en')} ${windowSeconds === 60 ? 'a minute' : 'a day'}`

const codes = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' ')

const reading = [
  '## Lists and paging',
  '`GET /api/entities/<Record>` answers a JSON array, `GET /api/entities/<Record>/{id}` one object.',
  list([
    '- `q`: the filter, a JSON object',
    `- \`sort\`: up to ${listBounds.sortKeys} sortable fields, comma separated; \`-field\` descends`,
    `- \`limit\`: default ${listBounds.limitDefault}, at most ${listBounds.limitMax}`,
    `- \`skip\`: at most ${listBounds.skipMax}`,
    '- `cursor`: `X-Next-Cursor` of the previous page, with the same sort',
    '- `fields`: only these fields, comma separated',
    '- `count=1`: adds `X-Total-Count`',
  ]),
  '## Filters',
  'Keys of `q` are fields, values the matches required. An array means any of its values, `null` means null or missing.',
  '```json\n{ "stage": ["new", "contacted"], "intent_score": { "$gte": 60 } }\n```',
  `Compare: ${codes(filterOperators.compare)}. Join: ${codes(filterOperators.join)}. At most ${filterBounds.bytes.toLocaleString('en')} bytes and ${filterBounds.leaves} comparisons. A filter that would examine more than ${examinedMax.toLocaleString('en')} rows is refused.`,
]

const recordText = ({ name, summary, not_yet, default_sort, reads, fields }: SurfaceEntity) =>
  [
    `### ${name}`,
    `${summary}. ${not_yet === undefined ? '' : `Not yet: ${not_yet} `}Reads: ${reads.join(', ')}. Sorted by \`${default_sort}\` unless asked otherwise.`,
    list(fields.map((field) => fieldLine(field))),
  ].join('\n\n')

const operationText = ({ name, summary, not_yet, class: kind, input, output }: SurfaceOperation) =>
  [
    `### ${name}`,
    `${summary}. ${not_yet === undefined ? '' : `Not yet: ${not_yet} `}Class: ${kind}.`,
    'Takes:',
    input.length > 0 ? list(input.map((field) => fieldLine(field))) : 'An empty object.',
    'Answers:',
    list(output.map((field) => fieldLine(field))),
  ].join('\n\n')

function fieldLine(field: SurfaceField, indent = ''): string {
  const notes = [
    `${field.element ? `array of ${field.element}` : field.type}${field.nullable ? ' or null' : ''}`,
    ...(field.optional ? ['optional'] : []),
    ...(field.sortable ? ['sort'] : []),
    ...(field.filter === 'search' ? ['search'] : []),
    ...(field.filter === 'none' ? ['no filter'] : []),
    ...(field.deprecated ? [`deprecated: use ${field.deprecated.use}`] : []),
  ]
  const values = field.values?.length ? ` Values: ${codes(field.values.map(String))}` : ''
  const text = `${indent}- \`${field.name}\` (${notes.join(', ')}): ${field.description ?? ''}${values}`
  return [text.trimEnd(), ...(field.fields ?? []).map((one) => fieldLine(one, `${indent}  `))].join('\n')
}
