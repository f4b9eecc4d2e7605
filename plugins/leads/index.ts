import { actCommands, definePlugin } from 'renown'
import { locationCard } from 'renown/locations'
import { homeCard, inboxEntry, workspaceFigures } from 'renown/pages'
import { personErasure } from 'renown/records'
import { reportSection } from 'renown/reports'
import { journeyStage } from 'renown/visibility'
import { boardPage } from './board/board-page'
import { mentionsHome } from './cards/home'
import { mentionEntries } from './cards/inbox'
import { leadsHome } from './cards/lead-home'
import { leadEntries } from './cards/lead-inbox'
import { leadsCard } from './cards/leads'
import { mentionsCard } from './cards/mentions'
import { replyEntries } from './cards/reply-inbox'
import { mentionActs } from './decisions/mention-commands'
import { leadsDemo } from './demo/demo'
import { assignLead, leadActs, noteLead, setNextStep } from './dispatch/lead-commands'
import { moveLead } from './dispatch/moveLead'
import { applyPolicies } from './finding/applyPolicies'
import { mentionErasure } from './finding/erased-mention'
import { judgeMentions, judgeOne } from './finding/judgeMentions'
import { readBack } from './finding/readBack'
import { readSources } from './finding/readSources'
import { inboundCommands } from './inbound/inbound-command'
import { inbound } from './inbound/inbound-source'
import { mentionReceiver } from './inbound/receive-mentions'
import { previewTracker } from './judging/preview-keywords'
import { generateMentionReply } from './operations/generateMentionReply'
import { leadsStage } from './operations/leads-stage'
import { listLeadsWithMentions } from './operations/listLeadsWithMentions'
import { markLeadsSeen } from './operations/markLeadsSeen'
import { setupMentionTracking } from './operations/setupMentionTracking'
import { mentionsPage } from './pages/mentions-page'
import { trackerPage } from './pages/tracker-page'
import { trackersPage } from './pages/trackers-page'
import { BrandTracker } from './records/BrandTracker'
import { leadEvents } from './records/events'
import { BusinessLocation } from './records/foreign'
import { InboundAddress } from './records/InboundAddress'
import { Lead } from './records/Lead'
import { Mention } from './records/Mention'
import { MentionReply, ReplyAttempt } from './records/MentionReply'
import { SourceTarget } from './records/SourceTarget'
import { SourceTerms } from './records/SourceTerms'
import { replyCommands } from './replies/reply-commands'
import { dueMentionReplies, sendMentionReply } from './replies/sendMentionReply'
import { mentionsSection } from './report/mentions-section'
import { leadFigures } from './report/workspaceFigures'
import { leadSettings } from './settings'
import { leadsReply } from './sources/reply-channel'
import { leadsSource } from './sources/source'
import { trackerCommands } from './tracking/commands'
import { listMentionSources } from './tracking/source-command'
import { wordCommands } from './tracking/word-acts'

/** Mentions of a brand on the open web, and the people behind them who may buy. */
export default definePlugin({
  name: 'leads',
  summary: 'Mentions found by trackers, and the leads detected in them',
  renown: '^1.0.0',
  entities: [
    Lead,
    Mention,
    BrandTracker,
    SourceTarget,
    SourceTerms,
    InboundAddress,
    MentionReply,
    ReplyAttempt,
  ],
  reads: [BusinessLocation],
  operations: [listLeadsWithMentions, markLeadsSeen, generateMentionReply, setupMentionTracking],
  settings: leadSettings,
  commands: [
    ...actCommands([
      assignLead,
      setNextStep,
      noteLead,
      moveLead,
      ...Object.values(leadActs),
      ...Object.values(mentionActs),
    ]),
    ...wordCommands,
    previewTracker,
    ...trackerCommands,
    listMentionSources,
    ...inboundCommands,
    ...replyCommands,
  ],
  jobs: { readSources, readBack, judgeMentions, applyPolicies, dueMentionReplies },
  queues: { 'judge-mention': judgeOne, 'send-mention-reply': sendMentionReply },
  events: leadEvents,
  extensionPoints: [leadsSource, leadsReply],
  provides: [
    journeyStage.with(leadsStage),
    leadsSource.with(inbound),
    personErasure.with(mentionErasure),
    homeCard.with(mentionsHome),
    inboxEntry.with(mentionEntries),
    locationCard.with(mentionsCard),
    homeCard.with(leadsHome),
    locationCard.with(leadsCard),
    inboxEntry.with(replyEntries),
    reportSection.with(mentionsSection),
    workspaceFigures.with(leadFigures),
    ...leadEntries.map((source) => inboxEntry.with(source)),
  ],
  receivers: { mentions: mentionReceiver },
  pages: [boardPage, mentionsPage, trackersPage, trackerPage],
  demo: leadsDemo,
})
