import { ServiceFault } from 'renown'
import {
  askWire,
  joined,
  oddIn,
  type ReplyEnd,
  unreadableAnswer,
  type VisibilityEngine,
  valueOr,
} from 'renown/visibility'
import { interaction, usageOf } from './interaction-wire'
import { resolveRedirects } from './redirects'
import { base, geminiCost, mostUsed, outputMax, serviceOf } from './service'

const ends: Readonly<Record<string, ReplyEnd>> = {
  completed: 'complete',
  incomplete: 'truncated',
  budget_exceeded: 'truncated',
  in_progress: 'truncated',
  requires_continuation: 'truncated',
}

/** Gemini through Google's Interactions API, with Google Search. It accepts no location. */
export const gemini: VisibilityEngine = {
  ...base,
  name: 'gemini',
  place: 'none',
  async ask(ctx, question) {
    const model = question.model ?? base.model(ctx)
    const json = {
      model,
      input: question.prompt,
      store: false,
      tools: [{ type: 'google_search' }],
      generation_config: { max_output_tokens: outputMax },
    }
    const asked = { path: '/interactions', json, answer: interaction }
    const { told, raw } = await askWire(ctx, serviceOf(ctx), asked, question)
    const found = joined(told.steps)
    const { text, cited, queries, failed } = found
    const status = valueOr(told.status, '')
    if (text === '' && (ends[status] === undefined || status === 'in_progress'))
      throw unreadableAnswer('Google', 'it has not ended')
    // It answers from memory then, which answers another question.
    const failure =
      failed.length > 0 && cited.length === 0
        ? new ServiceFault('transient', 'Google could not search the web.', { code: 'search_failed' })
        : undefined
    const answered = valueOr(told.model, null)
    const { used, odd } = usageOf(told, found)
    const oddStatus = status === '' || ends[status] ? [] : [`the unknown status ${status.slice(0, 60)}`]
    return {
      ended: ends[status] ?? 'complete',
      text,
      queries,
      consulted: [],
      placePinned: 'none',
      raw,
      searchCalls: used.searches ?? mostUsed(question.searchesMax).searches,
      cited: await resolveRedirects(ctx.outbound, cited, question.signal),
      modelAsked: model,
      modelAnswered: answered,
      cost: geminiCost(ctx, model, { used, searchesMax: question.searchesMax, answered, text }),
      failure,
      odd: [...oddIn(told.status, told.model), ...oddStatus, ...found.odd, ...odd],
    }
  },
}
