/**
 * Returns the origin of links for people outside, without a slash at the end: the white-label domain of the workspace's
 * agency while it is served, otherwise the main host.
 */
export const publicOrigin = (
  { apiUrl }: { readonly apiUrl: string },
  workspace: { readonly white_label_domain?: string | undefined } | null,
): string =>
  workspace?.white_label_domain === undefined ? apiUrl : `https://${workspace.white_label_domain}`
