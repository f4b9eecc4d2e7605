import { definePlugin } from 'renown'
import { journeyStage } from 'renown/visibility'
import { BrandTracker } from './BrandTracker'
import { leadsDemo } from './demo'
import { Lead } from './Lead'
import { leadStages } from './leadStages'
import { leadsStage } from './leads-stage'
import { listLeadsWithMentions } from './listLeadsWithMentions'
import { Mention } from './Mention'
import { markLeadsSeen } from './markLeadsSeen'
import { mentionStatus } from './mentionStatus'
import { moveLead } from './moveLead'
import { workNewLeads } from './workNewLeads'

/** Mentions of a brand on the open web, and the people behind them who may buy. */
export default definePlugin({
  name: 'leads',
  summary: 'Mentions found by trackers, and the leads detected in them',
  notYet:
    'Renown does not search for mentions and does not find leads yet. Trackers, mentions and leads come only from the demo or from a data import.',
  renown: '^1.0.0',
  prompts: [workNewLeads],
  entities: [Lead, Mention, BrandTracker],
  operations: [listLeadsWithMentions, markLeadsSeen],
  commands: [moveLead],
  states: [leadStages, mentionStatus],
  provides: [journeyStage.with(leadsStage)],
  demo: leadsDemo,
})
