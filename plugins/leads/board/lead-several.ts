import { mayMove } from 'renown'
import type { ListAct, ListActs } from 'renown/pages'
import { archiveLead, restoreLead, seeLead } from '../dispatch/lead-commands'
import { moveLead } from '../dispatch/moveLead'
import { leadStages } from '../records/leadStages'
import { type Stage, stageNames, stages } from '../records/stage-names'
import type { ShownCard } from './shown-card'

/** A lead that was lost needs a reason of its own, so several cannot be moved there. */
const targets = stages.filter((stage) => stage !== 'lost')

const stageOf = (seen: string): Stage => stages.find((stage) => stage === seen) ?? 'new'

const moving = (to: Stage): ListAct => ({
  act: moveLead,
  words: `To ${stageNames[to]}`,
  did: `moved to ${stageNames[to]}`,
  isFor: ({ stage = '', archived }) =>
    archived !== '1' && (stage === '' || mayMove(leadStages, stageOf(stage), to)),
  given: (seen) => ({ was: stageOf(seen), stage: to }),
  undo: {
    act: moveLead,
    isFor: (seen) => seen !== 'lost' && mayMove(leadStages, to, stageOf(seen)),
    given: (seen) => ({ was: to, stage: stageOf(seen) }),
  },
})

/** What is done with several leads at once. */
export const severalLeads: ListActs<ShownCard> = {
  called: ['lead', 'leads'],
  seen: ({ stage }) => stage,
  acts: {
    ...Object.fromEntries(targets.map((stage) => [stage, moving(stage)])),
    archive: {
      act: archiveLead,
      words: 'Archive',
      did: 'archived',
      isFor: ({ archived }) => archived !== '1',
      undo: { act: restoreLead },
    },
    unarchive: {
      act: restoreLead,
      words: 'Take out of the archive',
      did: 'taken out of the archive',
      isFor: ({ archived }) => archived === '1',
      undo: { act: archiveLead },
    },
    see: {
      act: seeLead,
      words: 'Mark as seen',
      did: 'marked as seen',
      isFor: ({ seen }) => seen !== 'yes',
    },
  },
}
