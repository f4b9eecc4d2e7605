import { defineSettings, setting, settingForm } from 'renown'

/** Settings of GitHub as a source of mentions. */
export const gitHubSettings = defineSettings({
  GITHUB_URL: setting(settingForm.text, 'https://api.github.com/graphql', "GitHub's GraphQL API."),
  GITHUB_TOKEN: setting(
    settingForm.text,
    '',
    'Personal access token without any scope. If empty, Renown does not search GitHub.',
  ),
})
