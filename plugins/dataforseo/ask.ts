import { foreignFault, hourMs, type OwnerContext, ServiceFault } from 'renown'
import { notReadyCode } from 'renown/reviews'
import type { ServiceAnswer, ServiceCall, ServiceRequest } from 'renown/sources'
import { oddIn, sideField, valueOr } from 'renown/visibility'
import * as v from 'valibot'
import { dataforseoSettings } from './settings'

/** The code of a fault for an order that the service does not know. */
export const unknownOrderCode = 'unknown_order'

const said = {
  status_code: v.pipe(v.number(), v.integer()),
  status_message: v.optional(v.string(), ''),
}

const succeeded = 20_000
const created = 20_100
/** The code of a search without reviews. Only this code proves that there are none. */
const noResults = 40_102

/** A task that DataForSEO has queued. */
const order = v.object({ ...said, status_code: v.literal(created), id: v.pipe(v.string(), v.minLength(1)) })

/** A finished task: one result, or the code of a search without reviews. */
const doneWith = <S extends v.GenericSchema>(result: S) =>
  v.union([
    v.object({ ...said, status_code: v.literal(succeeded), result: v.tuple([result]) }),
    v.object({ ...said, status_code: v.literal(noResults) }),
  ])

const answerWith = <S extends v.GenericSchema>(task: S) =>
  v.object({ ...said, status_code: v.literal(succeeded), tasks: v.tuple([task]) })

/** Orders reviews and returns the order's id. */
export async function placeOrder(ctx: OwnerContext, asked: Asked): Promise<string> {
  const what = "DataForSEO's answer to the order"
  const path = `${reviewsPath}/task_post`
  const { tasks } = await ask(ctx, { ...asked, path, what, answer: answerWith(order) })
  return tasks[0].id
}

/** Fetches an ordered result, in the form of `result`. Null if the search found nothing. */
export async function fetchResult<S extends v.GenericSchema>(
  ctx: OwnerContext,
  id: string,
  result: S,
  asked: Asked,
): Promise<v.InferOutput<S> | null> {
  const path = `${reviewsPath}/task_get/${encodeURIComponent(id)}`
  const answer = v.pipe(
    answerWith(doneWith(result)),
    v.transform(({ tasks: [done] }) => ('result' in done ? done.result[0] : null)),
  )
  return ask(ctx, { ...asked, path, what: "DataForSEO's result", answer })
}

/** A page that was read immediately: its result, or null if the search found nothing, with its cost. */
export interface LiveAnswer<T> {
  readonly result: T | null
  /** In US dollars. Null if the answer does not say it. */
  readonly cost: number | null
  /** What could not be read. */
  readonly odd: readonly string[]
  readonly raw: unknown
}

/** Amounts of money. A larger one is no price of a page. */
const amount = v.pipe(v.number(), v.minValue(0), v.maxValue(10_000))

/** A finished page. Its codes were read before, so that a missing one only counts as odd. */
const live = v.object({
  status_code: sideField('status_code', v.number()),
  cost: sideField('cost', amount),
  tasks: v.looseTuple([
    v.object({
      status_code: sideField('the status_code of the task', v.number()),
      cost: sideField('the cost of the task', amount),
      result: v.nullish(v.looseTuple([v.unknown()])),
    }),
  ]),
})

/** Reads the page of an answer in the form of `result`. */
const liveOf = <S extends v.GenericSchema>(result: S) =>
  v.pipe(
    live,
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const { status_code, cost, tasks } = dataset.value
      const [task] = tasks
      const most = Math.max(valueOr(cost, 0), valueOr(task.cost, 0))
      const isSaid = cost.is === 'value' || task.cost.is === 'value'
      // A page with a result is never free.
      const isFree = isSaid && most === 0 && task.result != null
      const said = {
        cost: isSaid && !isFree ? most : null,
        odd: [
          ...oddIn(status_code, cost, task.status_code, task.cost),
          ...(isFree ? ['the reported cost is 0'] : []),
        ],
      }
      if (task.result == null) {
        if (valueOr(task.status_code, succeeded) === noResults) return { ...said, result: null }
        addIssue({ message: 'the result is missing' })
        return NEVER
      }
      const read = v.safeParse(result, task.result[0])
      if (read.success) return { ...said, result: read.output as v.InferOutput<S> }
      addIssue({ message: 'the result has an unknown form' })
      return NEVER
    }),
  )

/**
 * Reads a page immediately. `path` is the part after `/v3/`. Throws a ServiceFault for every answer that
 * cannot be read.
 */
export async function fetchLive<S extends v.GenericSchema>(
  ctx: Pick<OwnerContext, 'outbound' | 'settings'>,
  path: string,
  result: S,
  asked: Asked,
): Promise<LiveAnswer<v.InferOutput<S>>> {
  const held: { raw?: unknown } = {}
  const answer = liveOf(result)
  const told = await ask(ctx, { ...asked, path, what: "DataForSEO's answer", answer }, (raw) => {
    held.raw = raw
  })
  return { ...told, raw: held.raw }
}

const reviewsPath = 'business_data/google/reviews'

type Asked = Pick<ServiceCall, 'json' | 'signal' | 'timeoutMs' | 'bytesMax'>

async function ask<S extends v.GenericSchema>(
  ctx: Pick<OwnerContext, 'outbound' | 'settings'>,
  { path, ...asked }: Asked & Pick<ServiceRequest<S>, 'what' | 'answer'> & { readonly path: string },
  onRaw: (raw: unknown) => void = () => {},
): Promise<v.InferOutput<S>> {
  const {
    DATAFORSEO_URL,
    DATAFORSEO_LOGIN: login,
    DATAFORSEO_PASSWORD: password,
  } = dataforseoSettings.of(ctx)
  const basic = btoa(`${login}:${password}`)
  return ctx.outbound.ask({
    ...asked,
    faultOf(given) {
      onRaw(given.json)
      return faultOf(given)
    },
    url: `${DATAFORSEO_URL}/v3/${path}`,
    headers: { authorization: `Basic ${basic}` },
    secrets: [password, basic].filter((secret) => secret !== ''),
  })
}

/** A code that is missing says nothing, and the others count. */
const code = { status_code: v.nullish(said.status_code), status_message: v.nullish(v.string(), '') }
const codes = v.object({
  ...code,
  tasks: v.optional(v.nullable(v.array(v.object(code)))),
})

/**
 * Reads the two codes of an answer. Nearly every answer has the status 200, so only the codes say whether it failed.
 */
function faultOf(answer: ServiceAnswer): ServiceFault | null {
  const read = v.safeParse(codes, answer.json)
  if (!read.success) return answer.status === 200 ? null : foreignFault(answer, "DataForSEO's answer")
  const { status_code, status_message, tasks } = read.output
  const [first] = tasks ?? []
  return (
    codeFault(status_code, status_message) ??
    (first ? codeFault(first.status_code, first.status_message) : null)
  )
}

function codeFault(code: number | null | undefined, message: string): ServiceFault | null {
  if (code == null) return null
  if ((code >= 20_000 && code < 30_000) || code === noResults) return null
  const said = `DataForSEO refused: ${message || code}`.slice(0, 300)
  const fault = (kind: ServiceFault['kind'], more: { code?: string; retryAfterMs?: number } = {}) =>
    new ServiceFault(kind, said, { code: String(code), ...more })
  if (code === 40_601 || code === 40_602) return fault('transient', { code: notReadyCode })
  if (code === 40_400 || code === 40_401) return fault('transient', { code: unknownOrderCode })
  if (code === 40_202 || code === 42_900) return fault('rate')
  if (code === 40_101 || code >= 50_000) return fault('transient')
  // The balance or a limit is used up. It passes when somebody pays or the day ends.
  if (code >= 40_200 && code < 40_300) return fault('quota', { retryAfterMs: hourMs })
  if (code >= 40_100 && code < 40_200) {
    const refused = `DataForSEO refused DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD: ${message || code}`
    return new ServiceFault('auth', refused.slice(0, 300), { code: String(code) })
  }
  return code >= 40_000 ? fault('permanent') : null
}
