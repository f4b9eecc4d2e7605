/** How many records of each kind the demo holds, whatever its seed and day. A test counts them. */
export const demoCounts = {
  ...{ Workspace: 3, businesses: 12, Review: 4_584, trafficDays: 90 },
  ...{ VisibilityRun: 4_160, Mention: 1_008, Lead: 336, Post: 154, Report: 40 },
} as const

const said = (count: keyof typeof demoCounts) => demoCounts[count].toLocaleString('en')

/** What the demo holds, for people. The README, the command line and the pages say it in these words. */
export const demoContents =
  `${said('Workspace')} workspaces with ${said('businesses')} businesses, ` +
  `${said('Review')} reviews of two years and ${said('trafficDays')} days of AI traffic. ` +
  `Over the API also ${said('VisibilityRun')} AI answers, ${said('Mention')} mentions, ${said('Lead')} leads, ` +
  `${said('Post')} posts and ${said('Report')} reports.`
