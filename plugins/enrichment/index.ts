import { definePlugin } from 'renown'
import { locationCard } from 'renown/locations'
import { profileCard } from './cards/profile'
import { profileSource } from './contract'
import { EnrichedLocation } from './EnrichedLocation'
import { enrichmentCommands } from './work/commands'
import { dueEnrichments, enrichAtOnce } from './work/dueEnrichments'
import { createEnrichLocation } from './work/enrichLocation'
import { Reading } from './work/syncs'

/** Reads a business's profile from its website and from platforms. */
export default definePlugin({
  name: 'enrichment',
  summary: 'Profiles of businesses, from their websites and listings',
  renown: '^1.0.0',
  needs: ['tenancy'],
  reads: [EnrichedLocation, Reading],
  extensionPoints: [profileSource],
  provides: [locationCard.with(profileCard)],
  jobs: { dueEnrichments },
  subscribers: { 'location.ready': enrichAtOnce },
  queues: { 'enrich-location': createEnrichLocation({ pauseMs: 1_000 }) },
  commands: enrichmentCommands,
})
