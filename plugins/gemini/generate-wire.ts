import {
  byteIndexes,
  oddIn,
  type ReplyEnd,
  sideField,
  sideList,
  usedCount,
  valueOr,
  type WireSource,
} from 'renown/visibility'
import * as v from 'valibot'
import { filledTokens, type GeminiUsage } from './interaction-wire'

const line = v.string()
const count = v.pipe(usedCount, v.integer())

/**
 * Google's JSON leaves out empty lists and zeros (protobuf, "JSON mapping"), so that a field that is not there may be empty. What
 * an answer cannot be without is unknown.
 */
const maybe = <S extends v.GenericSchema>(name: string, schema: S) => sideField(name, schema, 'none')

const web = v.object({
  uri: sideField('the uri of a chunk', line),
  title: sideField('the title of a chunk', line),
})
/** Every member keeps its place, because supports name chunks by their place. */
const chunk = v.pipe(
  v.unknown(),
  v.transform((given) => {
    const read = v.safeParse(v.object({ web }), given)
    return read.success ? read.output.web : null
  }),
)
const segment = v.object({
  startIndex: maybe('startIndex', count),
  endIndex: sideField('endIndex', count),
})
const support = v.object({
  segment: sideField('the segment of a support', segment),
  groundingChunkIndices: sideList('groundingChunkIndices', count),
})
const grounding = v.object({
  webSearchQueries: sideList('webSearchQueries', line, 'none'),
  groundingChunks: sideList('groundingChunks', chunk, 'none'),
  groundingSupports: sideList('groundingSupports', support, 'none'),
})
type Grounding = v.InferOutput<typeof grounding>

/** How an answer can end. An answer with another ending is complete if it has a text. */
export const ends: Readonly<Record<string, ReplyEnd>> = {
  STOP: 'complete',
  MAX_TOKENS: 'truncated',
  SAFETY: 'refusal',
  RECITATION: 'refusal',
  PROHIBITED_CONTENT: 'refusal',
  BLOCKLIST: 'refusal',
  SPII: 'refusal',
}

const part = v.object({ text: sideField('the text of a part', line), thought: maybe('thought', v.boolean()) })
const candidate = v.object({
  content: sideField('content', v.object({ parts: sideList('parts', part) })),
  finishReason: sideField('finishReason', line),
  groundingMetadata: maybe('groundingMetadata', grounding),
})
const usage = v.object({
  promptTokenCount: sideField('usageMetadata.promptTokenCount', count),
  candidatesTokenCount: sideField('usageMetadata.candidatesTokenCount', count),
  totalTokenCount: sideField('usageMetadata.totalTokenCount', count),
  thoughtsTokenCount: maybe('usageMetadata.thoughtsTokenCount', count),
  toolUsePromptTokenCount: maybe('usageMetadata.toolUsePromptTokenCount', count),
})
/** The JSON of an answer. */
export const generated = v.object({
  candidates: v.looseTuple([candidate]),
  modelVersion: sideField('modelVersion', line),
  usageMetadata: sideField('usageMetadata', usage),
})
type Told = v.InferOutput<typeof generated>

/** Returns the text of an answer, without its thoughts. Only an answer that ended early may have none. */
export function textOf({ candidates: [{ content, finishReason }] }: Told) {
  const isCut = finishReason.is === 'value' && (ends[finishReason.value] ?? 'complete') !== 'complete'
  if (content.is !== 'value') return { text: '', odd: isCut ? [] : oddIn(content) }
  const { items, odd } = content.value.parts
  const isShown = (hidden: boolean) =>
    items.filter(({ thought }) => !valueOr(thought, thought.is === 'unknown' && hidden))
  // A part that does not say whether it is a thought is the answer only if there is no other.
  const sure = isShown(true)
  const shown = sure.length > 0 ? sure : isShown(false)
  return {
    text: shown.map(({ text }) => valueOr(text, '')).join(''),
    odd: [...(isCut ? [] : odd), ...items.flatMap(({ text, thought }) => oddIn(text, thought))],
  }
}

/** Returns what an answer used. Without a list of searches, the answer made none, unless something else shows one. */
export function usageOf({ usageMetadata: told, candidates: [{ groundingMetadata }] }: Told): GeminiUsage {
  const found = groundingMetadata.is === 'value' ? groundingMetadata.value : null
  const toolTokens = told.is === 'value' ? valueOr(told.value.toolUsePromptTokenCount, 0) : 0
  const isBlind =
    found?.webSearchQueries.items.length === 0 && (hasSources(found) || found.webSearchQueries.odd.length > 0)
  const isSilent = groundingMetadata.is === 'none' && toolTokens > 0
  const isOdd = groundingMetadata.is === 'unknown' || isBlind || (found?.webSearchQueries.odd.length ?? 0) > 0
  const searches = isOdd || isSilent ? null : (found?.webSearchQueries.items.length ?? 0)
  const silent = [
    ...(isBlind ? ['webSearchQueries are missing'] : []),
    ...(isSilent ? ['groundingMetadata is missing'] : []),
  ]
  if (told.is !== 'value')
    return { used: { input: null, output: null, searches }, odd: [...oddIn(told), ...silent] }
  const said = told.value
  const total = valueOr(said.totalTokenCount, null)
  const [prompt, candidates] = [said.promptTokenCount, said.candidatesTokenCount].map((one) =>
    valueOr(one, null),
  ) as [number | null, number | null]
  const tool = valueOr(said.toolUsePromptTokenCount, total === null ? null : 0)
  const thoughts = valueOr(said.thoughtsTokenCount, total === null ? null : 0)
  const parts = {
    input: prompt === null || tool === null ? null : prompt + tool,
    output: candidates === null || thoughts === null ? null : candidates + thoughts,
    total,
  }
  return {
    used: { ...filledTokens(parts), searches },
    odd: [
      ...oddIn(said.promptTokenCount, said.candidatesTokenCount, said.totalTokenCount),
      ...oddIn(said.thoughtsTokenCount, said.toolUsePromptTokenCount),
      ...silent,
    ],
  }
}

const hasSources = ({ groundingChunks, groundingSupports }: Grounding) =>
  groundingChunks.items.length + groundingSupports.items.length > 0

/**
 * Returns the sources of an answer: those that its text cites, and those that were only found. Segments count
 * bytes of UTF-8.
 */
export function sourcesOf({ groundingChunks: chunks, groundingSupports: supports }: Grounding, text: string) {
  const at = byteIndexes(text)
  const sourceOf = (index: number): WireSource[] => {
    const web = chunks.items[index]
    if (!web || (web.uri.is !== 'value' && web.title.is !== 'value')) return []
    return [{ url: valueOr(web.uri, ''), title: valueOr(web.title, null) }]
  }
  const cited = supports.items.flatMap(({ segment, groundingChunkIndices }) => {
    const place = valueOr(segment, null)
    const end = place && valueOr(place.endIndex, null)
    const span =
      place === null || end === null ? undefined : { start: at(valueOr(place.startIndex, 0)), end: at(end) }
    return groundingChunkIndices.items.flatMap(sourceOf).map((source) => ({ ...source, span }))
  })
  const used = new Set(supports.items.flatMap(({ groundingChunkIndices }) => groundingChunkIndices.items))
  const consulted = chunks.items.flatMap((_, index) => (used.has(index) ? [] : sourceOf(index)))
  return { cited, consulted, odd: oddSources({ chunks, supports }, used) }
}

function oddSources(
  { chunks, supports }: { chunks: Grounding['groundingChunks']; supports: Grounding['groundingSupports'] },
  used: ReadonlySet<number>,
): string[] {
  const isLost = [...used].some((index) => index >= chunks.items.length)
  // The supports say which parts of the text a chunk is for. A text with chunks and without any supports may cite nothing.
  return [
    ...chunks.odd,
    ...supports.odd,
    ...chunks.items.flatMap((web) => (web ? oddIn(web.uri, web.title) : ['a chunk has an unknown form'])),
    ...supports.items.flatMap(({ segment, groundingChunkIndices }) => [
      ...oddIn(segment),
      ...(segment.is === 'value' ? oddIn(segment.value.startIndex, segment.value.endIndex) : []),
      ...groundingChunkIndices.odd,
    ]),
    ...(isLost ? ['a support names a chunk that is not there'] : []),
  ]
}
