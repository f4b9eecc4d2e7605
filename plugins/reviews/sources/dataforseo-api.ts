import { type OwnerContext, ServiceFault, type ServiceRequest, statusFault } from 'renown'
import * as v from 'valibot'

/** A fault of this code says that what was ordered is still being made. */
export const notReadyCode = 'not_ready'
/** A fault of this code says that the order is not known there. */
export const unknownOrderCode = 'unknown_order'

const task = v.object({
  id: v.optional(v.nullable(v.string())),
  status_code: v.number(),
  status_message: v.optional(v.string(), ''),
  result: v.optional(v.nullable(v.array(v.unknown()))),
})

const answered = v.object({
  status_code: v.number(),
  status_message: v.optional(v.string(), ''),
  tasks: v.optional(v.nullable(v.array(task))),
})

export type DataforseoTask = v.InferOutput<typeof task>

/** Asks DataForSEO for one task. Nearly every answer is a 200: the truth stands in two codes inside it. */
export async function askDataforseo(
  ctx: OwnerContext,
  { path, ...asked }: Pick<ServiceRequest, 'json' | 'signal'> & { readonly path: string },
): Promise<DataforseoTask> {
  const { DATAFORSEO_URL, DATAFORSEO_LOGIN: login, DATAFORSEO_PASSWORD: password } = ctx.settings
  const basic = btoa(`${login}:${password}`)
  const answer = await ctx.outbound.ask({
    ...asked,
    url: `${DATAFORSEO_URL}/v3/business_data/google/reviews/${path}`,
    headers: { authorization: `Basic ${basic}` },
    secrets: [password, basic].filter((secret) => secret !== ''),
  })
  const read = v.safeParse(answered, answer.json)
  if (!read.success) {
    throw (
      statusFault(answer, `DataForSEO answered with status ${answer.status}`) ??
      new ServiceFault('transient', 'DataForSEO answered in no known form')
    )
  }
  const { status_code, status_message, tasks } = read.output
  throwFault(status_code, status_message)
  const [first] = tasks ?? []
  if (!first) throw new ServiceFault('transient', 'DataForSEO answered without a task')
  throwFault(first.status_code, first.status_message)
  return first
}

const noResults = 40_102
const hourMs = 3_600_000

function throwFault(code: number, message: string): void {
  if ((code >= 20_000 && code < 30_000) || code === noResults) return
  const said = `DataForSEO refused: ${message || code}`.slice(0, 300)
  const fault = (kind: ServiceFault['kind'], more: { code?: string; retryAfterMs?: number } = {}) =>
    new ServiceFault(kind, said, { code: String(code), ...more })
  if (code === 40_601 || code === 40_602) throw fault('transient', { code: notReadyCode })
  if (code === 40_400 || code === 40_401) throw fault('transient', { code: unknownOrderCode })
  if (code === 40_202 || code === 42_900) throw fault('rate')
  if (code === 40_101 || code >= 50_000) throw fault('transient')
  // Out of money, or over a limit of their own: it passes when somebody pays or a day ends.
  if (code >= 40_200 && code < 40_300) throw fault('quota', { retryAfterMs: hourMs })
  if (code >= 40_100 && code < 40_200) {
    const refused = `DataForSEO refused DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD: ${message || code}`
    throw new ServiceFault('auth', refused.slice(0, 300), { code: String(code) })
  }
  throw fault('permanent')
}
