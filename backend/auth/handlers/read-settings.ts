// GET /settings: what everyone may know of the settings. In src/platform/supabase, provider-sign-in.ts reads the services to sign
// in with, and inspection/inspect-project.ts checks a project.
import type { Auth } from '../auth.ts';

export async function readSettings({ settings }: Auth): Promise<Response> {
  return Response.json({
    external: { anonymous_users: settings.allowsGuests, email: true, phone: false },
    disable_signup: !settings.allowsSignUps,
    // The address of a new account needs no confirmation.
    mailer_autoconfirm: true,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
  });
}
