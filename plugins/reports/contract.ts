/** The exports for authors of parts and kinds of reports: `renown/reports`. */

export { queueReport } from './acts/queue-report'
export type { Block, Definition, Figure, QuotedText, TableCell, Unit } from './blocks/block'
export { countFigure, plainCountFigure, rateFigure, ratingFigure } from './blocks/figures'
export { frozenCount, frozenRate } from './blocks/frozen'
export { cutText } from './blocks/texts'
export {
  type ReportedLocation,
  type ReportScope,
  type ReportSection,
  reportSection,
  type ScorePart,
  type SectionContext,
} from './templates/section'
export { type ReportTemplate, reportTemplate } from './templates/template'
