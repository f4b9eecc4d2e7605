/** Number of records of each kind in the demo, for any seed and day. A test counts them. */
export const demoCounts = {
  Workspace: 3,
  businesses: 12,
  Review: 4_584,
  trafficDays: 90,
  VisibilityRun: 4_160,
  Mention: 1_008,
  Lead: 336,
  Post: 154,
  Report: 40,
} as const

const said = (count: keyof typeof demoCounts) => demoCounts[count].toLocaleString('en')

/** The contents of the demo, for people. The README, the command line and the pages use these words. */
export const demoContents =
  `${said('Workspace')} workspaces with ${said('businesses')} businesses, ` +
  `${said('Review')} reviews of two years, ${said('trafficDays')} days of AI traffic, ` +
  `${said('VisibilityRun')} AI answers, ${said('Mention')} mentions, ${said('Lead')} leads, ` +
  `${said('Post')} posts and ${said('Report')} reports.`
