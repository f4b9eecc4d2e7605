import { messageOf } from '../contracts/errors'
import type { Log } from '../contracts/plugin'
import type { Environment } from './setting-files'
import { version } from './version'

/** How long sending the last spans may take at a stop. */
const stopMs = 1_000

/** A tracer of OpenTelemetry, and the end of it. */
export interface Tracing {
  readonly tracer: import('@opentelemetry/api').Tracer
  /** Sends what is recorded, and ends. */
  stop(): Promise<void>
}

/** What a process needs for its traces. */
export interface TracingDeps {
  readonly env: Environment
  /** `gateway` or `worker`. OTEL_SERVICE_NAME replaces it. */
  readonly part: string
  readonly log: Pick<Log, 'warn'>
}

/**
 * Sends traces to a collector, by the variables of OpenTelemetry's specification. Returns null unless OTEL_EXPORTER_OTLP_ENDPOINT or
 * OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set. The packages are loaded only then.
 *
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export async function openTracing({ env, part, log }: TracingDeps): Promise<Tracing | null> {
  const isWanted = [env.OTEL_EXPORTER_OTLP_ENDPOINT, env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT].some(isSet)
  const exporters = env.OTEL_TRACES_EXPORTER || 'otlp'
  if (!isWanted || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || exporters === 'none') return null
  if (exporters !== 'otlp') throw new Error('OTEL_TRACES_EXPORTER: expected otlp or none')
  const protocol =
    env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf'
  if (protocol !== 'http/protobuf') {
    throw new Error('OTEL_EXPORTER_OTLP_PROTOCOL: expected http/protobuf. Renown sends no other')
  }
  const [sdk, resources, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
  ])
  const own = resources.resourceFromAttributes({
    'service.name': `renown-${part}`,
    'service.version': version,
  })
  const named = resources.detectResources({ detectors: [resources.envDetector] })
  const exporter = new OTLPTraceExporter()
  let hasFailed = false
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(own).merge(named),
    sampler: samplerOf(env, sdk),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: {
          export: (spans, done) =>
            exporter.export(spans, (result) => {
              // A collector that is away is said once until it answers again. Nothing waits for it.
              if (result.code !== 0 && !hasFailed)
                log.warn('traces could not be sent', { error: messageOf(result.error) })
              hasFailed = result.code !== 0
              done(result)
            }),
          shutdown: () => exporter.shutdown(),
          forceFlush: () => exporter.forceFlush(),
        },
      }),
    ],
  })
  // A collector that is away does not delay the end of the process.
  const stop = () => Promise.race([provider.shutdown(), Bun.sleep(stopMs)])
  return { tracer: provider.getTracer('renown', version), stop }
}

const isSet = (value: string | undefined) => value !== undefined && value.trim() !== ''

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Each trace begins in this process, so samplers that ask a parent first do the same as those that do not. */
function samplerOf(env: Environment, sdk: typeof import('@opentelemetry/sdk-trace')) {
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on'
  if (!samplers.some((one) => one === name)) {
    throw new Error(`OTEL_TRACES_SAMPLER: expected ${samplers.join(', ')}`)
  }
  const kind = name.replace('parentbased_', '')
  if (kind !== 'traceidratio') {
    const root = kind === 'always_on' ? new sdk.AlwaysOnSampler() : new sdk.AlwaysOffSampler()
    return new sdk.ParentBasedSampler({ root })
  }
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG || '1')
  if (!(ratio >= 0 && ratio <= 1)) throw new Error('OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1')
  return new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) })
}
