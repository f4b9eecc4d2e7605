import { describe, expect, test } from 'bun:test'
import { openTracing } from '../../../core/process/tracing'

const log = { warn: () => {} }
const open = (env: Record<string, string>) => openTracing({ env, part: 'gateway', log })
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }

describe('the variables of traces', () => {
  test.each([
    [{}],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
    [{ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }],
    [{ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
    [{ OTEL_SERVICE_NAME: 'reputation' }],
  ])('%o record nothing', async (env) => {
    expect(await open(env as Record<string, string>)).toBeNull()
  })

  test.each([
    [{ OTEL_TRACES_EXPORTER: 'jaeger' }, 'OTEL_TRACES_EXPORTER: expected otlp or none'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL: expected http/protobuf'],
    [
      { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' },
      'OTEL_EXPORTER_OTLP_PROTOCOL: expected http/protobuf',
    ],
    [
      { OTEL_TRACES_SAMPLER: 'sometimes' },
      'OTEL_TRACES_SAMPLER: expected always_on, always_off, traceidratio',
    ],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
      'OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1',
    ],
  ])('%o stop the start, with the accepted values', async (env, message) => {
    expect(await open({ ...endpoint, ...env }).catch((error) => error.message)).toStartWith(message)
  })

  test.each([
    [{}, true],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, false],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, false],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, false],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '1' }, true],
  ])('%o decide whether a trace is recorded', async (env, isRecorded) => {
    const tracing = await open({ ...endpoint, ...env })
    const span = tracing?.tracer.startSpan('x')
    expect(span?.isRecording()).toBe(isRecorded)
  })
})
