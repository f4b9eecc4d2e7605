import { byteIndexes, type ReplyEnd, type WireSource } from 'renown/visibility'
import * as v from 'valibot'

const line = v.nullish(v.string())
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const grounding = v.pipe(
  v.object({
    webSearchQueries: v.nullish(v.array(v.string()), []),
    groundingChunks: v.nullish(
      v.array(v.object({ web: v.nullish(v.object({ uri: v.string(), title: line })) })),
      [],
    ),
    groundingSupports: v.nullish(
      v.array(
        v.object({
          segment: v.nullish(v.object({ startIndex: v.nullish(count, 0), endIndex: v.nullish(count) })),
          groundingChunkIndices: v.nullish(v.array(count), []),
        }),
      ),
      [],
    ),
  }),
  v.check(
    ({ groundingChunks: chunks, groundingSupports: supports }) =>
      supports.every(({ groundingChunkIndices }) => groundingChunkIndices.every((at) => at < chunks.length)),
    'a support names a chunk that is not there',
  ),
)
type Grounding = v.InferOutput<typeof grounding>

/** How an answer can end. Any other ending makes it unreadable. */
export const ends = {
  ...({ STOP: 'complete', MAX_TOKENS: 'truncated', SAFETY: 'refusal', RECITATION: 'refusal' } as const),
  ...({ PROHIBITED_CONTENT: 'refusal', BLOCKLIST: 'refusal', SPII: 'refusal' } as const),
} satisfies Record<string, ReplyEnd>

const candidate = v.object({
  content: v.nullish(
    v.object({
      parts: v.nullish(
        v.array(v.object({ text: v.nullish(v.string(), ''), thought: v.nullish(v.boolean()) })),
        [],
      ),
    }),
  ),
  finishReason: v.picklist(Object.keys(ends) as (keyof typeof ends)[]),
  groundingMetadata: v.nullish(grounding),
})
/** The JSON of an answer. */
export const generated = v.object({
  candidates: v.tuple([candidate]),
  modelVersion: line,
  usageMetadata: v.object({
    ...{ promptTokenCount: v.nullish(count, 0), candidatesTokenCount: v.nullish(count, 0) },
    ...{ thoughtsTokenCount: v.nullish(count, 0), toolUsePromptTokenCount: v.nullish(count, 0) },
  }),
})

/**
 * Returns the sources of an answer: those that its text cites, and those that were only found. Segments count
 * bytes of UTF-8.
 */
export function sourcesOf({ groundingChunks, groundingSupports }: Grounding, text: string) {
  const at = byteIndexes(text)
  const sourceOf = (index: number): WireSource[] => {
    const { web } = groundingChunks[index] ?? {}
    return web ? [{ url: web.uri, title: web.title }] : []
  }
  const cited = groundingSupports.flatMap(({ segment, groundingChunkIndices }) => {
    const end = segment?.endIndex
    const span = end == null ? undefined : { start: at(segment?.startIndex ?? 0), end: at(end) }
    return groundingChunkIndices.flatMap(sourceOf).map((source) => ({ ...source, span }))
  })
  const used = new Set(groundingSupports.flatMap(({ groundingChunkIndices }) => groundingChunkIndices))
  return { cited, consulted: groundingChunks.flatMap((_, index) => (used.has(index) ? [] : sourceOf(index))) }
}
