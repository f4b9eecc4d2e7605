import type { Extension, ExtensionPoint } from 'renown'
import { demoWorld } from '../../core/demo/world'
import { builtin } from '../../plugins'
import type { ReportTree } from '../../plugins/reports/blocks/block'
import { treeOf } from '../../plugins/reports/data/tree'
import { demoData } from '../../plugins/reports/demo/demo-data'

/** The extensions of the plugins in the box. Enough to make the tree of a report. */
export const builtinExtensions = {
  extensions: <E extends Extension>(point: ExtensionPoint<E>): readonly E[] =>
    builtin
      .flatMap(({ provides = [] }) => provides)
      .flatMap((one) => (one.point === point.id ? [one.extension as E] : [])),
}

/** Returns the data of the demo's report of October 2026. `edgeCases` are texts that break careless code. */
export function demoReportData(template: string, edgeCases: readonly string[] = []) {
  const world = demoWorld({ seed: 'renown', today: '2026-11-20', edgeCases }, builtin)
  const [business] = world.businesses
  if (!business) throw new Error('The demo has no business.')
  return demoData(world, business, {
    ...{ start: '2026-10-01', end: '2026-10-31', at: '2026-11-01T06:00:00.000Z', template },
  })
}

/** Returns the tree of the demo's report of October 2026. */
export const demoTree = (template: string, edgeCases: readonly string[] = []): ReportTree =>
  treeOf(builtinExtensions, {
    ...{ template, period_start: '2026-10-01', period_end: '2026-10-31' },
    report_data: demoReportData(template, edgeCases),
  })
