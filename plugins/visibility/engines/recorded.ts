import { ServiceFault } from 'renown'
import { jsonBounds, parseForeignJson } from 'renown/sources'
import * as v from 'valibot'
import { visibilitySettings } from '../settings'
import type { EngineQuestion, EngineReply, VisibilityEngine } from './engine'

const bytesMax = 64 * 2 ** 20
const anyPrompt = '*'

const sources = v.optional(v.array(v.object({ url: v.string(), title: v.nullish(v.string()) })), [])

/** A line of the file. `*` as the prompt answers every prompt that has no line. */
const line = v.strictObject({
  engine: v.string(),
  prompt: v.pipe(v.string(), v.minLength(1)),
  country: v.optional(v.string()),
  text: v.string(),
  ended: v.optional(v.picklist(['complete', 'truncated', 'refusal', 'none']), 'complete'),
  cited: sources,
  consulted: sources,
  queries: v.optional(v.array(v.string()), []),
  model: v.optional(v.string()),
  cost_usd: v.optional(v.pipe(v.number(), v.minValue(0)), 0),
  raw: v.optional(v.unknown()),
})
type Line = v.InferOutput<typeof line>

/** The answers in one file, and which one is next for each question. */
interface Recording {
  readonly changed: number
  /** The cost of the dearest answer, in US dollars. */
  readonly dearest: number
  readonly lines: ReadonlyMap<string, readonly Line[]>
  readonly next: Map<string, number>
}
const recordings = new Map<string, Recording>()

const labels: Readonly<Record<string, string>> = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  gemini: 'Gemini',
  perplexity: 'Perplexity',
  grok: 'Grok',
  mistral: 'Mistral',
  google_ai_overview: 'Google AI Overviews',
  google_ai_mode: 'Google AI Mode',
}

/** One engine per assistant, with answers from the file named in the settings. */
export const recordedEngines: readonly VisibilityEngine[] = Object.entries(labels).map(([engine, label]) => ({
  name: `recorded-${engine.replaceAll('_', '-')}`,
  engine,
  label,
  provider: 'recorded',
  access: 'recorded',
  place: 'country',
  needs: (ctx) =>
    visibilitySettings.of(ctx).VISIBILITY_RECORDED_FILE === '' ? ['VISIBILITY_RECORDED_FILE'] : [],
  model: () => '',
  async costLimit(ctx) {
    const file = visibilitySettings.of(ctx).VISIBILITY_RECORDED_FILE
    // A file that cannot be read answers nothing, so nothing is paid.
    const recording = await recordingOf(file).catch(() => null)
    return { usd: recording?.dearest ?? 0 }
  },
  ask: async (ctx, question) =>
    replyOf(await recordingOf(visibilitySettings.of(ctx).VISIBILITY_RECORDED_FILE), engine, question),
}))

function replyOf(recording: Recording, engine: string, { prompt, country }: EngineQuestion): EngineReply {
  const keys = [prompt, anyPrompt].flatMap((one) => [keyOf(engine, one, country), keyOf(engine, one, null)])
  const key = keys.find((one) => recording.lines.has(one)) ?? ''
  const lines = recording.lines.get(key) ?? []
  const turn = recording.next.get(key) ?? 0
  recording.next.set(key, turn + 1)
  const found = lines[turn % lines.length]
  if (!found) {
    const message = `VISIBILITY_RECORDED_FILE has no answer of ${engine} for this prompt.`
    throw new ServiceFault('unsupported', message, { code: 'not_recorded' })
  }
  const { ended, text, cited, consulted, queries, model, cost_usd, raw } = found
  return {
    ended,
    text,
    cited,
    consulted,
    queries,
    searchCalls: queries.length,
    modelAsked: '',
    modelAnswered: model ?? null,
    placePinned: found.country === undefined ? 'none' : 'country',
    cost: { usd: cost_usd, basis: 'reported' },
    raw: raw ?? found,
  }
}

const keyOf = (engine: string, prompt: string, country: string | null) =>
  `${engine}\n${country ?? ''}\n${prompt}`

/** Reads the file again if it has changed. Throws a ServiceFault that names the first invalid line. */
async function recordingOf(path: string): Promise<Recording> {
  const file = Bun.file(path)
  const fault = (why: string) =>
    new ServiceFault('permanent', `VISIBILITY_RECORDED_FILE ${why}`, { code: 'recording' })
  if (!(await file.exists())) throw fault('does not exist.')
  if (file.size > bytesMax) throw fault(`is longer than ${bytesMax} bytes.`)
  const known = recordings.get(path)
  if (known?.changed === file.lastModified) return known
  const lines = new Map<string, Line[]>()
  for (const [index, text] of (await file.text()).split('\n').entries()) {
    if (text.trim() === '') continue
    const read = readLine(text)
    if (!read) throw fault(`cannot be read in line ${index + 1}.`)
    const key = keyOf(read.engine, read.prompt, read.country ?? null)
    lines.set(key, [...(lines.get(key) ?? []), read])
  }
  const dearest = [...lines.values()].flat().reduce((most, { cost_usd }) => Math.max(most, cost_usd), 0)
  const made = { changed: file.lastModified, dearest, lines, next: new Map<string, number>() }
  recordings.set(path, made)
  return made
}

function readLine(text: string): Line | null {
  try {
    const read = v.safeParse(line, parseForeignJson(text, jsonBounds))
    return read.success ? read.output : null
  } catch {
    return null
  }
}
