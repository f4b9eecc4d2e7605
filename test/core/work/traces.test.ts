import { afterEach, describe, expect, test } from 'bun:test'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { traced, tracedMethods, traceWith } from '../../../core/work/traces'

const recorded = () => {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  traceWith(provider.getTracer('test'))
  return () => exporter.getFinishedSpans()
}
afterEach(() => traceWith(null))

describe('traces', () => {
  test('put work into a span inside the span that is running, also between awaits', async () => {
    const spans = recorded()
    await Promise.all(
      ['a', 'b'].map((name) =>
        traced({ name, sort: 'server' }, async () => {
          await Promise.resolve()
          await traced({ name: `${name}-inner`, sort: 'client' }, async () => {})
        }),
      ),
    )
    const byName = new Map(spans().map((span) => [span.name, span]))
    for (const name of ['a', 'b']) {
      const outer = byName.get(name)
      const inner = byName.get(`${name}-inner`)
      expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId)
      expect(inner?.spanContext().traceId).toBe(outer?.spanContext().traceId)
      expect(outer?.parentSpanContext).toBeUndefined()
    }
    expect(byName.get('a')?.spanContext().traceId).not.toBe(byName.get('b')?.spanContext().traceId)
  })

  test('name an error by its class and never by its words', async () => {
    const spans = recorded()
    const failing = traced({ name: 'x', sort: 'internal' }, async () => {
      throw new TypeError('203.0.113.9 said no')
    })
    expect(await failing.catch((error) => error.message)).toBe('203.0.113.9 said no')
    const [span] = spans()
    expect(span?.attributes).toEqual({ 'error.type': 'TypeError' })
    expect(span?.status).toEqual({ code: 2 })
    expect(span?.events).toEqual([])
  })

  test('keep what the work notes', async () => {
    const spans = recorded()
    const answer = await traced({ name: 'x', sort: 'client', values: { a: 1 } }, (note) => {
      note({ b: 'two' })
      return 3
    })
    expect(answer).toBe(3)
    expect(spans()[0]?.attributes).toEqual({ a: 1, b: 'two' })
  })

  test('wrap only the methods that are named', async () => {
    const spans = recorded()
    const given = { name: 'store', read: async (key: string) => `${key}!`, now: () => 4 }
    const wrapped = tracedMethods(given, ['read'], (method) => ({ name: `${method} it` }))
    expect([await wrapped.read('k'), wrapped.now(), wrapped.name]).toEqual(['k!', 4, 'store'])
    expect(spans().map(({ name }) => name)).toEqual(['read it'])
  })

  test('cost nothing while nobody wants them', async () => {
    const given = { read: async () => 1 }
    expect(tracedMethods(given, ['read'], () => ({ name: 'x' }))).toBe(given)
    expect(await traced({ name: 'x', sort: 'client' }, () => 2)).toBe(2)
  })
})
