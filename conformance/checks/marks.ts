import { type Installation, wordsOfCall } from '../installation'
import { isObject, objectsIn, textsIn } from '../json'
import { hiddenCharacters, type MarkedAnswer, markNameOf, readMarks, withoutMarks } from '../marks'
import { callTool } from '../mcp'
import type { Check } from '../proof'
import { answerOf, type Sample } from '../samples'
import { strangersFields, strangersNames } from '../strangers'

type MarkCheck = Check<Installation>

/** Tools whose answers have only what the installation publishes about itself. */
const isPublished = ({ tool }: Sample) => tool === 'describe_records'

const published: MarkCheck = {
  id: 'marks.published',
  promise: 'No field that strangers write is published as written by Renown',
  async run({ words, surface }, proof) {
    if (!words.isPublished)
      return proof.unproven('Who writes which text. This installation does not publish `x-renown-words`.')
    const own = [...words.ownFieldsNamed(strangersNames), ...ownNamedIn(surface, strangersNames)]
    for (const name of strangersNames)
      for (const path of own.filter((one) => one.endsWith(`.${name}`)))
        proof.expect(false, `${path} is published as written by Renown`)
    for (const [type, fields] of Object.entries(strangersFields))
      for (const field of fields) {
        const found = words.wordsOfField(type, field)
        if (found !== undefined)
          proof.expect(found === 'theirs', `${type}.${field} is published as written by Renown`)
      }
  },
}

/** The fields of the surface with one of these names that say that Renown writes them. */
function ownNamedIn(part: unknown, names: ReadonlySet<string>, at = ''): string[] {
  if (Array.isArray(part)) return part.flatMap((one) => ownNamedIn(one, names, at))
  if (!isObject(part)) return []
  const { name, words, entities, operations, events, fields, output, data } = part
  const here = typeof name === 'string' ? [at, name].filter(Boolean).join('.') : at
  const own = words !== undefined && names.has(String(name)) ? [here] : []
  return [
    ...own,
    ...[entities, operations, events, fields, output, data].flatMap((one) => ownNamedIn(one, names, here)),
  ]
}

const textRendering: MarkCheck = {
  id: 'marks.text',
  promise: "Strangers' texts are inside marks in the default rendering of every tool that reads",
  async run(installation, proof) {
    for (const sample of await answered(installation)) {
      const answer = sample.value
      if (!answer) continue
      report(proof, sample, readMarks(answer, wordsOfCall(installation, sample)))
    }
  },
}

const structuredRendering: MarkCheck = {
  id: 'marks.structured',
  promise: 'The same texts are inside marks in structured content',
  async run(installation, proof) {
    for (const sample of await answered(installation)) {
      const { structured } = sample.both
      if (
        !proof.expect(structured !== null, `${nameOf(sample)} has no structured content with ?structured=1`)
      )
        continue
      const text = answerOf(sample.both)
      proof.expect(
        text !== null && JSON.stringify(text) === JSON.stringify(structured),
        `${nameOf(sample)}: text and structured content of one answer differ`,
      )
    }
    for (const sample of await answered(installation)) {
      const { structured } = sample.both
      if (structured) report(proof, sample, readMarks(structured, wordsOfCall(installation, sample)))
    }
  },
}

function report(
  proof: Parameters<MarkCheck['run']>[1],
  sample: Sample,
  { faults, marked, name }: MarkedAnswer,
) {
  for (const { kind, path, text } of faults) {
    if (kind === 'unknown') {
      proof.unproven(`Who writes ${nameOf(sample)} ${path}: ${JSON.stringify(text)} is outside the marks`)
      continue
    }
    const what = kind === 'broken' ? 'a mark is open or closed twice' : 'outside the marks'
    proof.expect(false, `${nameOf(sample)} ${path}: ${what}: ${JSON.stringify(text)}`)
  }
  proof.expect(marked.length === 0 || name !== null, `${nameOf(sample)} does not name its marks`)
}

const sameTexts: MarkCheck = {
  id: 'marks.rest',
  promise: 'What HTTP returns as text of strangers never appears outside the marks of MCP',
  async run(installation, proof) {
    const samples = await answered(installation)
    const texts = await strangersTexts(installation)
    if (texts.length === 0)
      return proof.unproven('The workspace has no texts of strangers with 16 characters or more.')
    for (const sample of samples) {
      const outside = [sample.value, sample.both.structured].map((answer) =>
        answer ? readMarks(answer, wordsOfCall(installation, sample)).outside : '',
      )
      for (const { text, from } of texts)
        proof.expect(
          !outside.some((part) => part.includes(text)),
          `${nameOf(sample)} shows ${from} outside the marks: ${JSON.stringify(text)}`,
        )
    }
  },
}

/** Fields that people outside write, by record type. */
const writtenOutside: Readonly<Record<string, readonly string[]>> = {
  Review: ['review_text', 'reviewer_name'],
  Mention: ['body', 'title', 'url'],
  Lead: ['notes'],
  BusinessLocation: ['address'],
  AiTrafficDaily: ['top_paths', 'referral_paths'],
  VisibilityRun: ['answer_text', 'citations'],
}

/** Returns the beginnings of long texts that people outside wrote, as HTTP returns them. */
async function strangersTexts({ connection, types }: Installation) {
  const found: { text: string; from: string }[] = []
  for (const [type, fields] of Object.entries(writtenOutside)) {
    if (!types.some(({ name }) => name === type)) continue
    const { json } = await connection.ask(`/api/entities/${type}?limit=20`)
    for (const row of objectsIn(json))
      for (const field of fields)
        for (const { text, isName } of textsIn(row[field])) {
          const start = text.trim().slice(0, 40)
          if (!isName && start.length >= 16 && /\p{L}/u.test(start))
            found.push({ text: start, from: `${type}.${field}` })
        }
  }
  return found
}

const nonces: MarkCheck = {
  id: 'marks.random',
  promise: 'The name of the marks is new in every answer and cannot be guessed',
  async run(installation, proof) {
    const names: string[] = []
    const args = { entity: 'BusinessLocation', limit: 1 }
    for (let at = 0; at < 12; at++) {
      const value = answerOf(await callTool(installation.connection, 'list_records', args))
      const name = markNameOf(value)
      if (name !== null) names.push(name)
    }
    for (const { value, both } of await installation.samples())
      for (const name of [markNameOf(value), markNameOf(both.structured)]) if (name !== null) names.push(name)
    if (names.length < 12)
      return proof.unproven('Fewer than 12 answers have marks, because the workspace is nearly empty.')
    proof.expect(new Set(names).size === names.length, 'Two answers have the same name of marks')
    proof.expect(
      names.every((name) => name.length >= 5),
      'A name of marks has fewer than 5 characters',
    )
    proof.expect(
      varies(names),
      'The names of marks follow a pattern: a position has too few different characters',
    )
  },
}

/** Whether each position of random names has as many different characters as chance gives it, with a wide margin. */
function varies(names: readonly string[]): boolean {
  const length = Math.min(...names.map((name) => name.length))
  const wanted = Math.min(6, Math.floor(names.length / 3))
  return Array.from({ length }, (_, at) => new Set(names.map((name) => name[at])).size).every(
    (size) => size >= wanted,
  )
}

const closedMarks: MarkCheck = {
  id: 'marks.closed',
  promise: 'No text between the marks contains their name, so it cannot end them',
  async run(installation, proof) {
    let imitations = 0
    for (const sample of await answered(installation))
      for (const answer of [sample.value, sample.both.structured]) {
        if (!answer) continue
        const { name, marked } = readMarks(answer, wordsOfCall(installation, sample))
        for (const { text, path } of marked) {
          const inner = withoutMarks(text, name)
          if (/<\/?[a-z0-9-]{3,40}>/i.test(inner)) imitations += 1
          proof.expect(
            name === null || !inner.includes(name),
            `${nameOf(sample)} ${path.join('.')} contains the name of the marks`,
          )
        }
      }
    if (imitations === 0)
      proof.unproven(
        'No text of a stranger in these answers imitates a mark. --writes proves it with a draft of its own.',
      )
  },
}

const hidden: MarkCheck = {
  id: 'marks.hidden',
  promise:
    'No answer has characters that nobody sees: bidirectional marks, tag characters, zero-width spaces',
  async run(installation, proof) {
    for (const sample of await answered(installation))
      for (const answer of [sample.value, sample.both.structured])
        for (const { text, path } of textsIn(answer))
          proof.expect(
            !hiddenCharacters.test(text),
            `${nameOf(sample)} ${path.join('.')} has hidden characters`,
          )
  },
}

const answered = async (installation: Installation) =>
  (await installation.samples()).filter(
    (sample) => !sample.plain.isError && isObject(sample.value) && !isPublished(sample),
  )

/** Returns the name of a tool, with the record type that it read. */
export const nameOf = ({ tool, args }: Pick<Sample, 'tool' | 'args'>): string =>
  typeof args.entity === 'string' ? `${tool} ${args.entity}` : tool

export const markChecks = [
  published,
  textRendering,
  structuredRendering,
  sameTexts,
  nonces,
  closedMarks,
  hidden,
]
