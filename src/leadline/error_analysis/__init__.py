"""Why a ranking or an answer went wrong: by rule where one decides, on a sheet where none does."""
