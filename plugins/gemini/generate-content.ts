import { askWire, oddIn, type VisibilityEngine, valueOr } from 'renown/visibility'
import { ends, generated, sourcesOf, textOf, usageOf } from './generate-wire'
import { resolveRedirects } from './redirects'
import { base, geminiCost, mostUsed, outputMax, serviceOf } from './service'

/**
 * Gemini through `generateContent`, the older API. It accepts the language of the question, but no country.
 */
export const geminiV1: VisibilityEngine = {
  ...base,
  name: 'gemini-v1',
  version: 'v1',
  place: 'language',
  async ask(ctx, question) {
    const model = question.model ?? base.model(ctx)
    const json = {
      contents: [{ role: 'user', parts: [{ text: question.prompt }] }],
      tools: [{ googleSearch: {} }],
      toolConfig: { retrievalConfig: { languageCode: question.language } },
      generationConfig: { maxOutputTokens: outputMax },
    }
    const path = `/models/${encodeURIComponent(model)}:generateContent`
    const { told, raw } = await askWire(ctx, serviceOf(ctx), { path, json, answer: generated }, question)
    const [{ finishReason, groundingMetadata }] = told.candidates
    const { text, odd: oddText } = textOf(told)
    const reason = valueOr(finishReason, '')
    const answered = valueOr(told.modelVersion, null)
    const nothing = { cited: [], consulted: [], odd: oddIn(groundingMetadata) }
    const found = groundingMetadata.is === 'value' ? sourcesOf(groundingMetadata.value, text) : nothing
    const searched = groundingMetadata.is === 'value' ? groundingMetadata.value.webSearchQueries : null
    const { used, odd: oddUsage } = usageOf(told)
    const oddEnd = reason === '' || ends[reason] ? [] : [`the unknown finishReason ${reason.slice(0, 60)}`]
    return {
      ended: ends[reason] ?? 'complete',
      text,
      queries: searched?.items ?? [],
      placePinned: 'language',
      searchCalls: used.searches ?? mostUsed(question.searchesMax).searches,
      cited: await resolveRedirects(ctx.outbound, found.cited, question.signal),
      consulted: await resolveRedirects(ctx.outbound, found.consulted, question.signal),
      modelAsked: model,
      modelAnswered: answered,
      raw,
      cost: geminiCost(ctx, model, { used, searchesMax: question.searchesMax, answered, text }),
      odd: [
        ...oddIn(finishReason, told.modelVersion),
        ...oddEnd,
        ...oddText,
        ...found.odd,
        ...oddUsage,
        ...(searched?.odd ?? []),
      ],
    }
  },
}
