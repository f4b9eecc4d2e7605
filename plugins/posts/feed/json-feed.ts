import type { Feed, FeedItem } from './feed-items'

/** Returns a feed as JSON Feed 1.1. */
export const jsonFeedOf = ({ title, description, website, language, url, items }: Feed): string =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    description,
    feed_url: `${url}/feed.json`,
    ...(website === undefined ? {} : { home_page_url: website }),
    ...(language === undefined ? {} : { language }),
    authors: [{ name: title, ...(website === undefined ? {} : { url: website }) }],
    items: items.map(itemOf),
  })

const itemOf = ({ id, title, html, published_at, language, link, pictures: [picture] }: FeedItem) => ({
  id,
  content_html: html,
  date_published: published_at,
  language,
  ...(title === undefined ? {} : { title }),
  ...(link === undefined ? {} : { external_url: link }),
  ...(picture === undefined ? {} : { image: picture.url }),
})
