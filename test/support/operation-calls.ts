/** Finds a record of the demo. */
type Find = (
  entity: string,
  q?: object,
) => Promise<{ readonly id: string } & Readonly<Record<string, unknown>>>

/** Returns the input of a call of an operation, with ids of the demo. */
export type OperationCall = (find: Find) => Promise<object>

const inDays =
  (days: number): OperationCall =>
  async () => ({ days })
const empty: OperationCall = async () => ({})
const idOf = async (find: Find, entity: string, q?: object) => (await find(entity, q)).id
const ofLocation =
  (more: object): OperationCall =>
  async (find) => ({
    location_id: await idOf(find, 'BusinessLocation'),
    ...more,
  })

/** One call of each operation, as the reference shows it. */
export const operationCalls: Readonly<Record<string, OperationCall>> = {
  aggregateRecords: async () => ({
    entity: 'Review',
    group_by: ['source'],
    measures: ['count', 'avg:star_rating'],
    days: 28,
  }),
  compareWorkspaces: inDays(28),
  countRecords: async () => ({ entity: 'Review', q: { needs_response: true } }),
  getLimits: empty,
  listEvents: async () => ({ limit: 1 }),
  whoami: empty,
  getActiveSyncs: empty,
  markNotificationsRead: async (find) => ({ notification_ids: [await idOf(find, 'Notification')] }),
  proposeChange: async (find) => ({
    change: 'lead move',
    input: { lead_id: await idOf(find, 'Lead', { stage: 'new' }), stage: 'contacted' },
    reason: 'The lead answered by mail.',
  }),
  getReviewAnalytics: ofLocation({ days: 28 }),
  getReputationSummary: inDays(28),
  listReviewsNeedingResponse: async () => ({ limit: 1 }),
  generateReviewReply: async (find) => ({
    review_id: await idOf(find, 'Review', { needs_response: true }),
    tone: 'friendly',
  }),
  explainReviewCount: ofLocation({}),
  getVisibilityCountries: async () => ({ search: 'Spain' }),
  getVisibilitySummary: inDays(28),
  getPromptPerformance: async (find) => ({
    tracker_id: await idOf(find, 'VisibilityTracker'),
    days: 28,
    limit: 1,
  }),
  getShareOfVoice: async (find) => ({ tracker_id: await idOf(find, 'VisibilityTracker'), days: 28 }),
  listCitedSources: async () => ({ days: 28, limit: 2 }),
  getAnswer: async (find) => ({ run_id: await idOf(find, 'VisibilityRun', { status: 'ok' }) }),
  reconcileVisibility: async (find) => ({
    tracker_id: await idOf(find, 'VisibilityTracker'),
    days: 28,
    rulers: ['visibility.mention_rate@2', 'visibility.mention_rate@1'],
  }),
  getPageJourney: async () => ({ path: '/menu', days: 28 }),
  setupVisibilityTracking: ofLocation({
    prompts: ['Best brunch in Leeds?'],
    engines: ['chatgpt'],
    country: 'GB',
  }),
  getAiTrafficSummary: inDays(7),
  getTopCrawledPages: async () => ({ days: 28, limit: 2 }),
  getReferralPages: async () => ({ days: 28, limit: 2 }),
  listNewAgents: async () => ({ limit: 1 }),
  generatePostDraft: async (find) => ({
    business_location_id: await idOf(find, 'BusinessLocation'),
    intent: 'New opening hours in December',
    text: 'In December we open at 8.',
  }),
  generateReport: async (find) => ({
    business_location_id: await idOf(find, 'BusinessLocation'),
    period_start: '2026-10-01',
    period_end: '2026-10-31',
  }),
  getReportMarkdown: async (find) => ({ report_id: await idOf(find, 'Report', { status: 'completed' }) }),
  getReportStatus: async () => ({ limit: 1 }),
  listLeadsWithMentions: async () => ({ limit: 1 }),
  markLeadsSeen: async (find) => ({ lead_ids: [await idOf(find, 'Lead', { seen_at: null })] }),
  generateMentionReply: async (find) => ({
    mention_id: await idOf(find, 'Mention'),
    tone: 'friendly',
    length: 'short',
  }),
  setupMentionTracking: ofLocation({ keywords: ['"acme plumbing"'], sources: ['hackernews'] }),
}
