import * as v from 'valibot'
import type { SurfaceOperation } from '../../core/registry/surface'
import recorded from './operation-answers.json'
import { shippedSurface } from './shipped'

const printed = '<!-- Printed from the code by `bun run docs`. Change the code, not this page. -->\n'

/** A call of an operation and its answer, as they were recorded on the demo. */
export interface RecordedAnswer {
  readonly input: Readonly<Record<string, unknown>>
  readonly answer: unknown
}

/** The recorded call of each operation. `bun test/record-answers.ts` records them again. */
export const recordedAnswers: Readonly<Record<string, RecordedAnswer>> = recorded

/** Returns `docs/reference/operations.md`: one call and one answer of each operation. */
export function operationsPage(): string {
  const sections = shippedSurface().operations.map(sectionOf)
  return `${printed}
# Operations by example

One call and one answer of each operation. They were recorded on the demo (\`bun start --demo\`) and shortened: lists have one or two
entries here, and long texts end with an ellipsis. [The callable surface](surface.md#operations) has every field.

The examples read the address and the key from \`RENOWN_URL\` and \`RENOWN_KEY\`. [The API](../agents/api.md) explains both.

${sections.join('\n')}`
}

function sectionOf({ name, summary, class: kind }: SurfaceOperation): string {
  const known = recordedAnswers[name]
  if (!known) throw new Error(`${name} has no recorded answer: run bun test/record-answers.ts`)
  const body = JSON.stringify(known.input).replaceAll("'", "'\\''")
  return `## ${name}

${summary}. Class: \`${kind}\`.

\`\`\`sh
curl "$RENOWN_URL/api/functions/${name}" \\
  -H "Authorization: Bearer $RENOWN_KEY" -H 'Content-Type: application/json' \\
  -d '${body}'
\`\`\`

\`\`\`json
${JSON.stringify(known.answer, null, 2)}
\`\`\`
`
}

const textMax = 160

/** Returns an answer with short lists and texts that its schema still accepts. */
export function shortened(answer: unknown, schema: v.GenericSchema): unknown {
  const tries = [1, 2, 5, Number.POSITIVE_INFINITY].map((most) => cut(answer, most))
  const short = tries.find((one) => v.is(schema, one))
  return short ?? answer
}

function cut(value: unknown, most: number): unknown {
  if (typeof value === 'string') return value.length > textMax ? `${value.slice(0, textMax)}…` : value
  if (Array.isArray(value)) return value.slice(0, most).map((one) => cut(one, most))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cut(one, most)]))
}
