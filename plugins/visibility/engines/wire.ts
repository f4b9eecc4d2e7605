import { foreignFault, ServiceFault, statusFault, trimTrailing, unreadableCode } from 'renown'
import type { ServiceAnswer } from 'renown/sources'
import * as v from 'valibot'
import type { EngineContext, EngineModel, EngineQuestion } from './engine'

/** Maximum bytes of an answer. A longer one is not an answer to a question. */
const bytesMax = 4 * 2 ** 20

/** A service and its key. */
export interface EngineService {
  /** The name in messages, such as `OpenAI`. */
  readonly label: string
  /** Returns the base address of the service from the settings. */
  readonly url: string
  readonly key: string
  /** Name of the setting with the key. */
  readonly keyName: string
  readonly headers: Readonly<Record<string, string>>
  /** What else a refused key can mean. */
  readonly keyHint?: string
  /** Reads errors that the service sends with status 200. */
  inBand?(json: unknown): ServiceFault | null
}

/** An answer, parsed and unchanged. */
export interface WireAnswer<T> {
  readonly told: T
  readonly raw: unknown
}

type Asking = Pick<EngineQuestion, 'signal' | 'timeoutMs'>

/** Sends a request to an engine. Throws a ServiceFault for every answer that does not match the schema. */
export async function askWire<S extends v.GenericSchema>(
  ctx: EngineContext,
  service: EngineService,
  { path, json, answer }: { readonly path: string; readonly json?: object; readonly answer: S },
  { signal, timeoutMs }: Asking,
): Promise<WireAnswer<v.InferOutput<S>>> {
  let raw: unknown
  const told = await ctx.outbound.ask({
    what: `The answer of ${service.label}`,
    answer,
    bytesMax,
    secrets: [service.key],
    url: `${trimTrailing(service.url, '/')}${path}`,
    headers: service.headers,
    faultOf(given) {
      raw = given.json
      return faultOf(given, service)
    },
    ...(json === undefined ? {} : { json }),
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
  return { told, raw }
}

/** Returns the fault of an answer that proves nothing. */
export const unreadableAnswer = (label: string, why: string): ServiceFault =>
  new ServiceFault('transient', `The answer of ${label} could not be read: ${why}`, { code: unreadableCode })

const words = v.pipe(v.string(), v.minLength(1))
const code = v.nullish(v.union([v.string(), v.number()]))

const bare = { type: undefined, code: undefined, status: undefined }

/** The error forms of these services. */
const envelope = v.union([
  v.pipe(
    v.object({ error: v.object({ message: words, type: code, code, status: code }) }),
    v.transform(({ error }) => error),
  ),
  v.pipe(
    v.object({ message: words, type: code, code }),
    v.transform(({ message, type, code }) => ({ message, type, code, status: undefined })),
  ),
  v.pipe(
    v.object({ error: words, code }),
    v.transform(({ error, code }) => ({ ...bare, message: error, code })),
  ),
  v.pipe(
    v.object({ detail: words }),
    v.transform(({ detail }) => ({ ...bare, message: detail })),
  ),
  v.pipe(
    v.object({ detail: v.tupleWithRest([v.object({ msg: words })], v.unknown()) }),
    v.transform(({ detail: [first] }) => ({ ...bare, message: first.msg })),
  ),
])

/** Matches errors about a limit that ends only with a payment. */
const unpaid = /insufficient_quota|billing|credit|balance|payment/i

function faultOf(answer: ServiceAnswer, service: EngineService): ServiceFault | null {
  const { status, retryAfterMs } = answer
  if (status >= 200 && status < 300) return service.inBand?.(answer.json) ?? null
  const said = v.safeParse(envelope, answer.json)
  if (!said.success) return foreignFault(answer, `The answer of ${service.label}`)
  const { message, ...codes } = said.output
  const named = [codes.code, codes.type, codes.status].filter((one) => typeof one === 'string')
  const refused = `${service.label} refused: ${message}`
  const fault = (kind: ServiceFault['kind'], text = refused) =>
    new ServiceFault(kind, text.slice(0, 300), { code: named[0] ?? String(status), retryAfterMs })
  if (status === 401 || /api.?key/i.test(`${named.join(' ')} ${message}`)) {
    const hint = service.keyHint === undefined ? '' : ` ${service.keyHint}`
    return fault('auth', `${service.label} refused ${service.keyName}: ${message}${hint}`)
  }
  if (status === 402 || (status === 429 && unpaid.test(named.join(' ')))) {
    return new ServiceFault('quota', refused.slice(0, 300), { code: named[0] ?? String(status) })
  }
  return fault(statusFault(answer, refused)?.kind ?? 'permanent')
}

const day = v.pipe(
  v.nullish(v.union([v.string(), v.number()])),
  v.transform((told) => {
    const date = new Date(typeof told === 'number' ? told * 1_000 : (told ?? ''))
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10)
  }),
)

/** A model in the list of an engine. Services use different fields for the day on which it ends. */
const model = v.pipe(
  v.object({
    id: words,
    aliases: v.nullish(v.array(v.string())),
    lifecycle: v.nullish(v.string()),
    shutdown_date: day,
    retires_at: day,
    deprecation: day,
  }),
  v.transform(({ id, aliases, lifecycle, shutdown_date, retires_at, deprecation }): EngineModel[] => {
    const endsOn = shutdown_date ?? retires_at ?? deprecation
    const rest = {
      ...(endsOn === undefined ? {} : { endsOn }),
      ...(lifecycle === 'retired' ? { isRetired: true } : {}),
    }
    return [id, ...(aliases ?? [])].map((one) => ({ id: one, ...rest }))
  }),
)

const modelList = v.pipe(
  v.object({ data: v.pipe(v.array(model), v.minLength(1)) }),
  v.transform(({ data }) => data.flat()),
)

/** Fetches a list of models in the form that OpenAI uses. */
export const listModels = async (
  ctx: EngineContext,
  service: EngineService,
  signal: AbortSignal,
  path = '/models',
): Promise<readonly EngineModel[]> =>
  (await askWire(ctx, service, { path, answer: modelList }, { signal, timeoutMs: 20_000 })).told
