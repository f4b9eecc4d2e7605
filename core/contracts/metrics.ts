/** One value of a metric, with the labels that distinguish it from the others. */
export interface MetricSample {
  readonly suffix?: string
  readonly labels?: Readonly<Record<string, string | number>>
  readonly value: number
}

/** A metric as Prometheus reads it. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly MetricSample[]
}

/** The media type of `metricsText`. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

/** Returns metrics in the text format of Prometheus. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(
        ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelsText(labels)} ${value}\n`,
      )
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
    })
    .join('')
}

function labelsText(labels: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${String(value).replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))}"`,
  )
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

/** Returns a metric with a single number. */
export const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
})

/** Returns a metric of counts, one for each value of a label. */
export const counts = (
  name: string,
  help: string,
  label: string,
  kept: ReadonlyMap<string | number, number>,
): Metric => ({
  name,
  help,
  type: 'counter',
  samples: [...kept].map(([value, count]) => ({ labels: { [label]: value }, value: count })),
})

/** Adds one or more to the count of a key. */
export function countUp<Key>(kept: Map<Key, number>, key: Key, more = 1): void {
  kept.set(key, (kept.get(key) ?? 0) + more)
}

/** Creates a histogram of durations in seconds, with these bounds. */
export function createHistogram(bounds: readonly number[]) {
  /** Observations by the first bound that they do not exceed. The last number counts those beyond all bounds. */
  const within = Array.from({ length: bounds.length + 1 }, () => 0)
  let sum = 0
  let count = 0
  const upTo = (at: number) => within.slice(0, at + 1).reduce((total, each) => total + each, 0)
  return {
    observe(seconds: number) {
      sum += seconds
      count++
      let at = 0
      while (at < bounds.length && seconds > (bounds[at] ?? 0)) at++
      within[at] = (within[at] ?? 0) + 1
    },
    samples: (): MetricSample[] => [
      ...bounds.map((le, at) => ({ suffix: '_bucket', labels: { le }, value: upTo(at) })),
      { suffix: '_bucket', labels: { le: '+Inf' }, value: count },
      { suffix: '_sum', value: sum },
      { suffix: '_count', value: count },
    ],
  }
}

/** Returns the resource use of this process. */
export function processMetrics(): Metric[] {
  const { user, system } = process.cpuUsage()
  return [
    gauge('process_resident_memory_bytes', 'Memory that the process uses.', process.memoryUsage.rss()),
    {
      name: 'process_cpu_seconds_total',
      help: 'Processor time, all threads.',
      type: 'counter',
      samples: [{ value: (user + system) / 1e6 }],
    },
  ]
}
