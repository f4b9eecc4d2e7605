/** Fields that people outside write, in whatever answer they are. No installation may publish them as its own. */
export const strangersNames: ReadonlySet<string> = new Set([
  'review_text',
  'reviewer_name',
  'reviewer_photo_url',
  'reply_text',
  'body',
  'excerpt',
  'handle',
  'first_name',
  'last_name',
  'path',
  'referrer',
  'user_agent',
  'answer_text',
  'search_queries',
])

/** Further fields that people outside write, by record type. */
export const strangersFields: Readonly<Record<string, readonly string[]>> = {
  Review: ['review_text', 'reviewer_name', 'reply_text', 'notes', 'key_topics'],
  Mention: ['body', 'title', 'excerpt', 'url', 'author.handle', 'author.name', 'tags'],
  Lead: ['notes', 'first_name', 'last_name', 'phone', 'email', 'next_step'],
  BusinessLocation: ['business_name', 'address_line1', 'phone', 'website', 'manual_notes'],
  VisibilityRun: ['answer_text', 'search_queries', 'citations.[].url', 'citations.[].title'],
  VisibilityPrompt: ['text', 'topic'],
  AiTrafficDaily: ['top_paths.[].path', 'referral_paths.[].path', 'crawler_errors.[].path'],
  AiTrafficSite: ['domain'],
}

/** Whether a path of an answer ends with a field that people outside write. */
export const isNeverOurs = (path: readonly string[]): boolean =>
  strangersNames.has(path.findLast((part) => part !== '[]') ?? '')
