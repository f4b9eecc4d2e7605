import { askWire, type VisibilityEngine } from 'renown/visibility'
import { ends, generated, sourcesOf } from './generate-wire'
import { resolveRedirects } from './redirects'
import { base, geminiCost, serviceOf } from './service'

/**
 * Gemini through `generateContent`, the older API. It accepts the language of the question, but no country.
 */
export const geminiV1: VisibilityEngine = {
  ...{ ...base, name: 'gemini-v1', version: 'v1', place: 'language' },
  async ask(ctx, question) {
    const model = question.model ?? base.model(ctx)
    const json = {
      contents: [{ role: 'user', parts: [{ text: question.prompt }] }],
      tools: [{ googleSearch: {} }],
      toolConfig: { retrievalConfig: { languageCode: question.language } },
    }
    const path = `/models/${encodeURIComponent(model)}:generateContent`
    const { told, raw } = await askWire(ctx, serviceOf(ctx), { path, json, answer: generated }, question)
    const [{ content, finishReason, groundingMetadata }] = told.candidates
    const text = (content?.parts ?? []).flatMap(({ text, thought }) => (thought ? [] : [text])).join('')
    const found = groundingMetadata ? sourcesOf(groundingMetadata, text) : { cited: [], consulted: [] }
    const queries = groundingMetadata?.webSearchQueries ?? []
    const { promptTokenCount, candidatesTokenCount, ...more } = told.usageMetadata
    const used = {
      ...{ input: promptTokenCount + more.toolUsePromptTokenCount, searches: queries.length },
      output: candidatesTokenCount + more.thoughtsTokenCount,
    }
    return {
      ...{
        ended: ends[finishReason],
        text,
        queries,
        searchCalls: queries.length,
        placePinned: 'language',
        raw,
      },
      cited: await resolveRedirects(ctx.outbound, found.cited, question.signal),
      consulted: await resolveRedirects(ctx.outbound, found.consulted, question.signal),
      ...{ modelAsked: model, modelAnswered: told.modelVersion ?? null, cost: geminiCost(ctx, model, used) },
    }
  },
}
