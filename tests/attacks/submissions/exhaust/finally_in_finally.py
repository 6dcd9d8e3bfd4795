# Its program doubles with every `finally`: Python compiles the block once for each way that leads into it.
# verdict: rejected
# says: nested too deeply | program of more than


def answer(x):
    try:
        pass
    finally:
        try:
            pass
        finally:
            try:
                pass
            finally:
                try:
                    pass
                finally:
                    try:
                        pass
                    finally:
                        try:
                            pass
                        finally:
                            try:
                                pass
                            finally:
                                try:
                                    pass
                                finally:
                                    try:
                                        pass
                                    finally:
                                        try:
                                            pass
                                        finally:
                                            try:
                                                pass
                                            finally:
                                                try:
                                                    pass
                                                finally:
                                                    try:
                                                        pass
                                                    finally:
                                                        try:
                                                            pass
                                                        finally:
                                                            try:
                                                                pass
                                                            finally:
                                                                try:
                                                                    pass
                                                                finally:
                                                                    y = x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x
    return float(x.sum())
