// Gap: @supabase/lite 0.10.0 hides Storage behind an environment variable that it reads while it is being loaded.
// Imported (for its effect) before the first import of @supabase/lite.

process.env['EXPERIMENTAL_STORAGE'] = '1';
