import type { ReportTree } from '../blocks/block'

/** What every form of a report says about itself, such as the hash of its data. */
export const factsOf = ({ title, subject, period, from, dataHash }: ReportTree) =>
  [
    ['report', title],
    ['business', subject],
    ['period', period],
    ['from', from],
    ['data_hash', dataHash],
  ] as const
