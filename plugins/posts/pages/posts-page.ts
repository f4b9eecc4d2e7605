import { definePage } from 'renown/pages'
import { postWords } from '../words'
import { downloadPosts } from './download-posts'
import { type CalendarData, loadCalendar } from './load-calendar'
import { postsStyle } from './posts-style'

/** The calendar of posts, with what has no time beside it. */
export const postsPage = definePage<CalendarData>({
  path: '/app/posts',
  title: 'Posts',
  nav: { label: postWords('nav'), order: 70, icon: 'calendar' },
  module: new URL('./PostsPage.tsx', import.meta.url),
  isStatic: true,
  load: loadCalendar,
  download: downloadPosts,
  notices: { drafted: 'The drafts are saved.' },
  style: postsStyle,
})
