/** The stages in the order of the columns. */
export const stages = ['new', 'contacted', 'qualified', 'won', 'lost'] as const
/** A stage of a lead. */
export type Stage = (typeof stages)[number]

/** The names of the stages for people. */
export const stageNames: Readonly<Record<Stage, string>> = {
  new: 'New',
  contacted: 'Contacted',
  qualified: 'Qualified',
  won: 'Won',
  lost: 'Lost',
}
