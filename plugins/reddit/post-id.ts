/** Returns the fullname of a post or a comment of Reddit by its address. Null if the address is neither. */
export function redditPostId({ hostname, pathname }: URL): string | null {
  if (hostname === 'redd.it') {
    const [, short] = /^\/([0-9a-z]{1,15})\/?$/.exec(pathname) ?? []
    return short === undefined ? null : `t3_${short}`
  }
  if (!/^(?:[a-z]{1,10}\.)?reddit\.com$/.test(hostname)) return null
  const [, post, reply] =
    /^(?:\/(?:r|user|u)\/[\w-]{1,50})?\/comments\/([0-9a-z]{1,15})(?:\/[^/]{0,300}(?:\/([0-9a-z]{1,15}))?)?\/?$/.exec(
      pathname,
    ) ?? []
  if (reply !== undefined) return `t1_${reply}`
  return post === undefined ? null : `t3_${post}`
}
