import { actCommands, definePlugin } from 'renown'
import { locationCard } from 'renown/locations'
import { reportSection, reportTemplate } from 'renown/reports'
import { auditProspect } from './audit/auditProspect'
import { auditCommands } from './audit/commands'
import { auditAtOnce, newProspects } from './audit/newProspects'
import { auditCard, pastAuditCard } from './cards/audit'
import { prospectsDemo } from './demo'
import { reads } from './records/foreign'
import { ProspectAudit } from './records/ProspectAudit'
import { makePitch, pitchTemplate } from './report/pitch'
import { pitchSection } from './report/pitch-section'

/** Businesses that an agency pitches to, and their audits. */
export default definePlugin({
  name: 'prospects',
  summary: 'Audits of businesses that you want to win as clients',
  renown: '^1.0.0',
  needs: ['tenancy', 'enrichment', 'reviews', 'leads', 'visibility', 'traffic'],
  entities: [ProspectAudit],
  reads,
  provides: [
    ...[auditCard, pastAuditCard].map((card) => locationCard.with(card)),
    reportSection.with(pitchSection),
    reportTemplate.with(pitchTemplate),
  ],
  jobs: { newProspects },
  subscribers: { 'location.ready': auditAtOnce },
  queues: { 'audit-prospect': auditProspect },
  commands: [...auditCommands, ...actCommands([makePitch])],
  demo: prospectsDemo,
})
