import { defineSettings, setting, settingForm } from 'renown'

/** Where the Guild is asked, and as which client. */
export const guildSettings = defineSettings({
  GUILD_URL: setting(settingForm.text, 'https://api.guild.example', 'Address of the Guild.'),
  GUILD_CLIENT_ID: setting(settingForm.text, '', 'OAuth client of this installation at the Guild.'),
  GUILD_CLIENT_SECRET: setting(settingForm.text, '', 'Secret of that client.'),
  GUILD_CALLS_PER_MINUTE: setting(settingForm.count, '120', 'Calls per minute that the Guild allows.'),
})
