import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPage } from './support/docs-pages'
import { type RunningProduct, startProduct } from './support/product'

const root = join(import.meta.dir, '..')
const folder = mkdtempSync(join(tmpdir(), 'renown-monitoring-'))
const read = (name: string) => Bun.file(join(root, 'operations', 'monitoring', name)).text()

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly action: string }
}
const { groups } = Bun.YAML.parse(await read('alarms.yml')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(await read('dashboard.json')) as {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
  }[]
}
const targets = dashboard.panels.flatMap((panel) => panel.targets)
const expressions = [...rules, ...targets].map(({ expr }) => expr)

/** The metrics that an expression names, without what Prometheus itself makes of a histogram. */
const metricsIn = (expression: string) =>
  [...expression.matchAll(/\b(?:renown|process)_[a-z_]+/g)].map(([name]) =>
    name.replace(/_(?:bucket|sum|count)$/, ''),
  )

/** The labels that an expression selects or groups by, for the only metric that it names. */
const labelsIn = (expression: string) => [
  ...[...expression.matchAll(/[{,]\s*([a-z_]+)=/g)].map(([, label]) => label ?? ''),
  ...[...expression.matchAll(/\bby \(([a-z_, ]+)\)/g)].flatMap(([, names = '']) => names.split(/, ?/)),
]

let product: RunningProduct
let served = ''
beforeAll(async () => {
  product = await startProduct({
    dataDir: folder,
    env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9', LOG_LEVEL: 'error' },
  })
  const { api_url, ingest_url } = product.facts
  const texts = [api_url, ingest_url].map((url) =>
    fetch(`${url}/metrics`).then((response) => response.text()),
  )
  served = (await Promise.all(texts)).join('')
}, 60_000)
afterAll(async () => {
  await product.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('the alarms and the dashboard', () => {
  test('name metrics that a running installation serves', () => {
    const types = new Set([...served.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    const unknown = expressions.flatMap(metricsIn).filter((name) => !types.has(name))
    expect(unknown).toEqual([])
    expect(expressions.flatMap(metricsIn).length).toBeGreaterThan(30)
  })

  test('use labels that their metrics have', async () => {
    const page = await readPage('docs/operators/monitoring.md')
    /** Prometheus adds these. */
    const added = new Set(['job', 'instance', 'le'])
    for (const expression of expressions) {
      const [metric] = metricsIn(expression)
      if (metric === undefined) continue
      const said = [...served.matchAll(new RegExp(`^${metric}(?:_bucket)?\\{([^}]*)\\}`, 'gm'))]
      const listed = [...page.matchAll(new RegExp(`\`${metric}\\{([a-z,]+)\\}\``, 'g'))]
      const known = new Set([
        ...said.flatMap(([, labels = '']) => [...labels.matchAll(/([a-z_]+)=/g)].map(([, label]) => label)),
        ...listed.flatMap(([, labels = '']) => labels.split(',')),
      ])
      for (const label of labelsIn(expression))
        expect([expression, label, added.has(label) || known.has(label)]).toEqual([expression, label, true])
    }
  })

  test('say what is wrong and what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, labels, annotations, ...rule } of rules) {
      expect([alert, ['page', 'warn'].includes(labels.severity)]).toEqual([alert, true])
      expect([alert, annotations.summary.length > 20, annotations.action.length > 20]).toEqual([
        alert,
        true,
        true,
      ])
      expect([alert, /^\d+[mh]$/.test(rule.for ?? '1m')]).toEqual([alert, true])
    }
  })

  test('every metric of an alarm is explained on the page for operators', async () => {
    const page = await readPage('docs/operators/monitoring.md')
    const missing = rules.flatMap(({ expr }) => metricsIn(expr)).filter((name) => !page.includes(`\`${name}`))
    expect([...new Set(missing)]).toEqual([])
  })
})
