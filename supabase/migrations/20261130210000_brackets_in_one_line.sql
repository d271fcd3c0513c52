-- The `[ ]` of the welcome page stood on two lines where a line ended: its space is one that does not break now.
do $$
begin
  execute replace(pg_get_functiondef('weft.seed_update(text)'::regprocedure), '035b205d', '045bc2a05d');
end
$$;
