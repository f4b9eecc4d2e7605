import { pageModelOf } from '../../plugins/reports/pdf/page-model'
import { renderPdf } from '../../plugins/reports/pdf/render-pdf'
import { median } from '../support/cpu'
import { demoTree } from '../support/demo-report'

const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
const template = 'monthly_reputation_report'

/**
 * The demo's report as a PDF, beside an empty report, in turn, each in a process of its own. The empty one is the floor:
 * Bun, Typst and one font.
 */
export async function run(): Promise<void> {
  const tree = demoTree(template)
  const empty = { ...tree, sections: [], definitions: [] }
  const sections = Array.from({ length: 10 }, (_, n) =>
    tree.sections.map((one) => ({ ...one, name: `${one.name}${n}` })),
  ).flat()
  const targets = {
    'an empty report': empty,
    'the demo report': tree,
    'ten times its parts': { ...tree, sections },
  }
  const models = Object.entries(targets).map(([name, one]) => ({ name, model: pageModelOf(one) }))
  const seen = new Map<string, Awaited<ReturnType<typeof measure>>[]>()
  for (let round = 0; round < rounds; round++) {
    for (const { name, model } of models) seen.set(name, [...(seen.get(name) ?? []), await measure(model)])
  }
  const floor = middle(seen.get('an empty report') ?? [])
  for (const [name, all] of seen) {
    const { wallMs, cpuMs, peakMb, bytes, pages } = middle(all)
    console.log(
      `${name}: ${pages} pages, ${bytes} bytes, ${wallMs.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms CPU, ${peakMb.toFixed(0)} MB, ${(cpuMs / floor.cpuMs).toFixed(1)} times the CPU of the empty report`,
    )
  }
}

type Measured = Awaited<ReturnType<typeof measure>>

async function measure(model: ReturnType<typeof pageModelOf>) {
  const began = performance.now()
  const work = { model, at: '2026-11-01T06:00:00.000Z', fontFolders: [] }
  const { bytes, pages, used } = await renderPdf({
    report_id: 'rep_bench',
    token: 'bench',
    signal: new AbortController().signal,
    open: async () => work,
  })
  const wallMs = performance.now() - began
  return { wallMs, cpuMs: used.cpuMs, peakMb: used.peakBytes / 1024 / 1024, bytes: bytes.length, pages }
}

function middle(all: readonly Measured[]): Measured {
  const of = (name: keyof Measured) => median(all.map((one) => one[name]))
  return {
    wallMs: of('wallMs'),
    cpuMs: of('cpuMs'),
    peakMb: of('peakMb'),
    bytes: of('bytes'),
    pages: of('pages'),
  }
}
